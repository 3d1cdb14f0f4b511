import CoreData
import Foundation

/// A store, and the model that Core Data opens it with.
struct ProofStore {
  let model: NSManagedObjectModel
  let url: URL
  let keepsHistory: Bool

  /// Migrates the store to the model; throws a `Refusal` when Core Data will not.
  func migrate() throws {
    let coordinator: NSPersistentStoreCoordinator
    do {
      coordinator = try opened(migrating: true)
    } catch {
      throw Refusal(error) ?? error
    }
    // What is in the -wal goes into the store, so that nothing is left to a later reader.
    for store in coordinator.persistentStores { try coordinator.remove(store) }
    try checkVersion()
  }

  /// Reads every object; when `saving`, validates each too, and saves one of each entity.
  func read(saving: Bool) throws {
    try checkVersion()
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = try opened(migrating: false)
    for entity in model.entities where !entity.isAbstract {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
      request.includesSubentities = false
      let objects = try context.fetch(request)
      let links = objects.reduce(0) { $0 + $1.countLinks() }
      if saving {
        for object in objects { try object.validateForUpdate() }
        try objects.first?.saveChange(in: context)
      }
      print("\(url.path): \(entity.name ?? "?"): \(objects.count) objects, \(links) links")
    }
  }

  /// Throws unless the store has the version hashes of the model.
  private func checkVersion() throws {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType, at: url, options: nil)
    guard model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) else {
      throw Trouble(description: "the version hashes of \(url.path) are not those of the model")
    }
  }

  private func opened(migrating: Bool) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    // A store with a history would be opened read-only without the last option.
    let options: [String: NSNumber] = [
      NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: migrating),
      NSInferMappingModelAutomaticallyOption: NSNumber(value: migrating),
      NSPersistentHistoryTrackingKey: NSNumber(value: keepsHistory),
    ]
    _ = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
    return coordinator
  }
}

extension NSManagedObject {
  /// Reads the object whole; the number of objects that it leads to.
  fileprivate func countLinks() -> Int {
    for name in entity.attributesByName.keys { _ = value(forKey: name) }
    return entity.relationshipsByName.keys.reduce(0) { count, name in
      switch value(forKey: name) {
      case let many as NSSet: count + many.count
      case let many as NSOrderedSet: count + many.count
      case is NSManagedObject: count + 1
      default: count
      }
    }
  }

  /// Changes a text and saves, then changes it back and saves.
  fileprivate func saveChange(in context: NSManagedObjectContext) throws {
    let texts = entity.attributesByName.filter { $0.value.attributeType == .stringAttributeType }
    guard let name = texts.keys.min() else { return }
    let old = value(forKey: name) as? String
    setValue("\(old ?? "") changed", forKey: name)
    try context.save()
    setValue(old, forKey: name)
    try context.save()
  }
}
