/// The table that an entity without a parent shares with everything that inherits from it.
package struct EntityTable: Hashable, Sendable {
  package let name: String
  /// The entity without a parent.
  package let root: String
  /// The entities whose objects are in it, by number; the root is the first.
  package let entities: [String]
  /// The columns, in the order of a fresh table.
  package let columns: [StoreColumn]

  package func column(named name: String) -> StoreColumn? { columns.first { $0.name == name } }

  /// The statement that makes it, as Core Data writes it.
  package var sql: String {
    let list = columns.map { column in
      let key = column.role == .primaryKey ? " PRIMARY KEY" : ""
      return "\(column.name) \(column.type.rawValue)\(key)"
    }
    return "CREATE TABLE \(name) ( \(list.joined(separator: ", ")) )"
  }
}
