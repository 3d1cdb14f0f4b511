import CoreDataStore
internal import StoreMigration

/// The store that is being built, as a stage in Lua reaches it.
final class RevisedStores: ScriptStores {
  private let objects: RevisedObjects
  private let model: Model

  init(_ objects: RevisedObjects, _ model: Model) { (self.objects, self.model) = (objects, model) }

  private var copy: ScriptedCopy { objects.copy }

  func model(of side: ScriptSide) -> Model { model }

  func value(_ attribute: String, of object: ScriptObject) throws -> AttributeValue {
    try copy.value(attribute, ofTarget: object.id)
  }

  func destinations(_ relationship: String, of object: ScriptObject) throws -> [ObjectID] {
    try copy.destinations(relationship, ofTarget: object.id)
  }

  func bytes(of reference: ExternalReference, side: ScriptSide) throws -> [UInt8] {
    try copy.bytes(of: reference)
  }

  func make(_ target: String, for source: ObjectID?) throws -> ObjectID { try copy.make(target) }

  func set(_ object: ObjectID, _ values: [String: AttributeValue]) throws {
    try copy.set(object, values)
  }

  func connect(_ object: ObjectID, _ relationship: String, _ others: [ObjectID]) throws {
    try copy.connect(object, relationship, others)
  }

  func find(_ entity: String, where condition: ModelPredicate?, limit: Int) throws -> [ObjectID] {
    try copy.find(entity, where: condition, limit: limit)
  }

  func count(_ entity: String, where condition: ModelPredicate?) throws -> Int {
    try copy.count(entity, where: condition)
  }

  // A stage is given no objects of the source.

  var mapping: Mapping? { nil }

  func makeDefault(_ source: ObjectID, as target: String) throws -> ObjectID {
    throw ScriptValue.Misfit("a stage has no objects of the source")
  }

  func associate(_ object: ObjectID, with source: ObjectID) throws {}
  func made(from source: ObjectID) throws -> [ObjectID] { [] }
  func sources(of object: ObjectID) throws -> [ObjectID] { [] }
}
