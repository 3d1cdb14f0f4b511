import CoreDataStore
internal import StoreMigration

/// The store that an object is in.
enum ScriptSide: String, Sendable {
  case source, target
}

/// An object that a script has in its hands.
struct ScriptObject: Hashable, Sendable {
  let side: ScriptSide
  let id: ObjectID

  init(_ side: ScriptSide, _ id: ObjectID) {
    self.side = side
    self.id = id
  }
}

/// What a script reaches of the source and of the store that is being built.
protocol ScriptStores: AnyObject {
  func model(of side: ScriptSide) -> Model
  /// What the mapping makes from the objects of the source.
  var mapping: Mapping? { get }
  /// The value of a stored attribute.
  func value(_ attribute: String, of object: ScriptObject) throws -> AttributeValue
  /// The objects a relationship leads to, in its order.
  func destinations(_ relationship: String, of object: ScriptObject) throws -> [ObjectID]
  /// The bytes of a value that lies in a file.
  func bytes(of reference: ExternalReference, side: ScriptSide) throws -> [UInt8]

  /// Makes what the mapping alone would make of an object of the source.
  func makeDefault(_ source: ObjectID, as target: String) throws -> ObjectID
  /// Makes an object with the model's defaults.
  func make(_ target: String, for source: ObjectID?) throws -> ObjectID
  /// Gives an object of the target values.
  func set(_ object: ObjectID, _ values: [String: AttributeValue]) throws
  /// Makes a relationship of the target lead to objects, and its inverse back.
  func connect(_ object: ObjectID, _ relationship: String, _ others: [ObjectID]) throws

  /// Lets an object of the target stand for one of the source, too.
  func associate(_ object: ObjectID, with source: ObjectID) throws
  /// The objects of the target that were made from one of the source.
  func made(from source: ObjectID) throws -> [ObjectID]
  /// The objects of the source that one of the target was made from.
  func sources(of object: ObjectID) throws -> [ObjectID]
  /// The objects of a target entity that meet a condition, at most so many.
  func find(_ entity: String, where condition: ModelPredicate?, limit: Int) throws -> [ObjectID]
  /// How many objects of a target entity meet a condition.
  func count(_ entity: String, where condition: ModelPredicate?) throws -> Int
}
