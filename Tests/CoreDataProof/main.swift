// Opens a store with Apple's Core Data and the model's current version, without migration; reads
// every object, follows every relationship, validates, and saves a change and its undoing:
//
//   open-store MODEL.momd STORE
//
// It is compiled on macOS alone, by .ci/core-data.

import CoreData
import Foundation

struct Refusal: Error, CustomStringConvertible {
  let description: String
}

func open(_ model: NSManagedObjectModel, _ store: URL) throws -> NSManagedObjectContext {
  let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
  let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
    ofType: NSSQLiteStoreType, at: store)
  guard model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) else {
    throw Refusal(description: "the model is not the one of the store")
  }
  // Stores with a history are opened read-only without this option.
  let options: [String: NSNumber] = [
    NSMigratePersistentStoresAutomaticallyOption: false, NSPersistentHistoryTrackingKey: true,
  ]
  _ = try coordinator.addPersistentStore(
    ofType: NSSQLiteStoreType, configurationName: nil, at: store, options: options)
  let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
  context.persistentStoreCoordinator = coordinator
  return context
}

/// Reads an object whole; the number of objects that it leads to.
func read(_ object: NSManagedObject) throws -> Int {
  for name in object.entity.attributesByName.keys { _ = object.value(forKey: name) }
  try object.validateForUpdate()
  return object.entity.relationshipsByName.reduce(0) { count, pair in
    switch object.value(forKey: pair.key) {
    case let many as NSSet: count + many.count
    case let many as NSOrderedSet: count + many.count
    case is NSManagedObject: count + 1
    default: count
    }
  }
}

/// Changes a text and saves, then changes it back and saves.
func touch(_ object: NSManagedObject, _ context: NSManagedObjectContext) throws {
  let texts = object.entity.attributesByName.filter {
    $0.value.attributeType == .stringAttributeType
  }
  guard let name = texts.keys.min() else { return }
  let old = object.value(forKey: name)
  object.setValue("\(old ?? "") changed", forKey: name)
  try context.save()
  object.setValue(old, forKey: name)
  try context.save()
}

func check(_ arguments: [String]) throws {
  guard arguments.count == 3,
    let model = NSManagedObjectModel(contentsOf: URL(filePath: arguments[1]))
  else { throw Refusal(description: "usage: open-store MODEL.momd STORE") }
  let context = try open(model, URL(filePath: arguments[2]))
  for entity in model.entities where !entity.isAbstract {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
    request.includesSubentities = false
    let objects = try context.fetch(request)
    let links = try objects.reduce(0) { try $0 + read($1) }
    if let first = objects.first { try touch(first, context) }
    print("\(arguments[2]): \(entity.name ?? "?"): \(objects.count) objects, \(links) links")
  }
}

do {
  try check(CommandLine.arguments)
} catch {
  FileHandle.standardError.write(Data("open-store: \(error)\n".utf8))
  exit(1)
}
