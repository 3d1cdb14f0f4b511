internal import CoreDataStore
internal import SQLite

/// Remembers the relationships that a script has given a value, an empty one too.
///
/// Links of scripted objects are brought over by the mapping when all objects are there; without
/// this it would fill again what a script meant to be empty, and add to a list that is complete.
struct AssignedLinks {
  private let connection: Connection
  /// The relationships of the target that the mapping has links for.
  private let mapped: Set<PropertyReference>

  init(_ builder: StoreBuilder) {
    connection = builder.connection
    mapped = Set(
      builder.mapping.links.filter { $0.sourceStorage != nil }
        .flatMap { [$0.forward.target, $0.backward.target] }.compactMap(\.self))
  }

  /// Whether a relationship of an object is the script's.
  func has(_ relationship: PropertyReference, of object: ObjectID) throws -> Bool {
    do {
      let sql = """
        SELECT 1 FROM main.\(BuilderTables.assigned) WHERE relationship = ?1 AND object = ?2
        """
      return try connection.integer(sql, [.text("\(relationship)"), .integer(object.key)]) == 1
    } catch {
      throw Failure(
        error, what: "cannot read the links of an object",
        subject: "entity \(object.entity), Z_PK \(object.key)")
    }
  }

  /// Notes that a relationship of an object is the script's, in the transaction that sets it.
  func note(_ relationship: PropertyReference, of object: ObjectID) throws {
    guard mapped.contains(relationship) else { return }
    do {
      try connection.run(
        "INSERT OR IGNORE INTO main.\(BuilderTables.assigned) VALUES (?1, ?2)",
        [.text("\(relationship)"), .integer(object.key)])
    } catch {
      throw Failure(
        error, what: "cannot note the links of an object",
        subject: "entity \(object.entity), Z_PK \(object.key)")
    }
  }
}
