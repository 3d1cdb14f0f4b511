/// An r-tree over columns of numbers: a virtual table that triggers keep.
///
/// SQLite keeps its nodes in shadow tables of its name. Fetches by place read it and nothing else,
/// so it must be filled before the triggers are made. Stores of Photos show the table of a location
/// attribute and its INSERT trigger; the other statements do the same work in words that may not be
/// Core Data's.
package struct SpatialIndex: Hashable, Sendable {
  /// What the model says it with.
  package enum Origin: Hashable, Sendable {
    /// A fetch index of spatial elements.
    case fetchIndex(entity: String, index: String)
    /// A transient attribute whose user info names the attributes of a place.
    case location(PropertyReference)
  }

  /// The virtual table's name.
  package let name: String
  package let table: String
  package let columns: [String]
  /// What the model says it with.
  package let origin: Origin

  private var bounds: [String] { columns.flatMap { ["\($0)_MIN", "\($0)_MAX"] } }

  private var boundList: String { bounds.joined(separator: ", ") }

  /// The statement that makes the virtual table.
  package var sql: String {
    let type = if case .location = origin { " FLOAT" } else { "" }
    let list = bounds.map { $0 + type }.joined(separator: ", ")
    return "CREATE VIRTUAL TABLE \(name) USING RTREE (Z_PK INTEGER PRIMARY KEY, \(list))"
  }

  /// The statement that fills it from the objects there are: those that have all the numbers.
  package var fill: String {
    let values = columns.map { "\($0), \($0)" }.joined(separator: ", ")
    let condition = columns.map { "\($0) NOT NULL" }.joined(separator: " AND ")
    return "INSERT OR REPLACE INTO \(name) (Z_PK, \(boundList)) "
      + "SELECT Z_PK, \(values) FROM \(table) WHERE \(condition)"
  }

  package var triggers: [StoreTrigger] {
    let values = columns.map { "NEW.\($0), NEW.\($0)" }.joined(separator: ", ")
    let tail = "INTO \(name) (Z_PK, \(boundList)) VALUES (NEW.Z_PK, \(values)) "
    return [
      trigger("INSERT", ["INSERT OR REPLACE \(tail)"]),
      trigger("UPDATE", ["DELETE FROM \(name) WHERE Z_PK = NEW.Z_PK ", "INSERT \(tail)"]),
      trigger("DELETE", ["DELETE FROM \(name) WHERE Z_PK = OLD.Z_PK "]),
    ]
  }

  private func trigger(_ event: String, _ body: [String]) -> StoreTrigger {
    StoreTrigger("\(name)_\(event)", after: event, on: table, body)
  }
}
