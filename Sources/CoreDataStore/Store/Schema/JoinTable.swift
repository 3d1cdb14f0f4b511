/// A table of pairs, for relationships that lead to many objects on both sides.
package struct JoinTable: Hashable, Sendable {
  package let name: String
  /// The relationship that names the table.
  package let master: PropertyReference
  /// Its inverse; the same one when a relationship is its own inverse.
  package let inverse: PropertyReference
  /// The column with the Z_PK of the objects that have the master relationship.
  package let first: String
  /// The column with the Z_PK of the objects it leads to.
  package let second: String
  /// The column with the places of the objects that the master leads to, when it is ordered.
  package let masterPosition: String?
  /// The column with the places of the objects that the inverse leads to, when it is ordered.
  package let inversePosition: String?

  /// Whether a relationship is its own inverse.
  package var isReflexive: Bool { master == inverse }

  /// The names of the columns, in the order of a fresh table.
  package var columns: [String] {
    [first, second] + [inversePosition, masterPosition].compactMap(\.self)
  }

  /// The statement that makes it, as Core Data writes it.
  package var sql: String {
    let list = columns.map { "\($0) INTEGER" } + ["PRIMARY KEY (\(first), \(second))"]
    return "CREATE TABLE \(name) ( \(list.joined(separator: ", ")) )"
  }

  /// The table as one of its relationships sees it; nil for any other relationship.
  package func storage(of relationship: PropertyReference) -> JoinStorage? {
    switch relationship {
    case master:
      JoinStorage(table: name, source: first, destination: second, position: masterPosition)
    case inverse:
      JoinStorage(table: name, source: second, destination: first, position: inversePosition)
    default: nil
    }
  }
}
