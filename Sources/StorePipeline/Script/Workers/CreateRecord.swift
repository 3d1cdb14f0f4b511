import CoreDataStore
internal import StoreMigration

/// What a script's `create` did for one object, without a look at what those before it have left.
///
/// The objects that it made have no keys yet: they are numbered from 0, as they were made.
struct CreateRecord: Sendable {
  /// A value that it gave to an attribute.
  enum Given: Sendable {
    case value(AttributeValue)
    /// The bytes of an attribute of the object it was given: they are read again, not kept.
    case source(attribute: String, isTransformable: Bool)
  }

  /// One thing it did.
  enum Step: Sendable {
    case makeDefault(of: ObjectID, as: String)
    case make(String)
    case set(Int, [String: Given])
    case connect(Int, String, [Int])
  }

  /// What it did, in order.
  var steps: [Step] = []
  /// The decimals that lost digits.
  var rounded = 0
  var warnings = ScriptWarnings()
  /// The memory that this takes, about.
  var byteCount = 0
}

/// The records of a block of objects, by the objects' keys; an object that has to wait for its turn
/// has none.
struct CreateBlock: WorkedBlock {
  var records: [Int64: CreateRecord] = [:]
  private(set) var byteCount = 0

  /// Adds what was done for an object.
  mutating func add(_ record: CreateRecord, _ key: Int64) {
    records[key] = record
    byteCount += record.byteCount
  }
}
