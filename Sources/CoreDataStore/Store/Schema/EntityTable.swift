/// The table that an entity without a parent shares with everything that inherits from it.
public struct EntityTable: Hashable, Sendable {
  /// The table's name.
  public let name: String
  /// The entity without a parent.
  public let root: String
  /// The entities whose objects are in it, by number; the root is the first.
  public let entities: [String]
  /// The columns, in the order of a fresh table.
  public let columns: [StoreColumn]

  /// The column of this name.
  public func column(named name: String) -> StoreColumn? { columns.first { $0.name == name } }

  /// The statement that makes it, as Core Data writes it.
  public var sql: String {
    let list = columns.map { column in
      let key = column.role == .primaryKey ? " PRIMARY KEY" : ""
      return "\(column.name) \(column.type.rawValue)\(key)"
    }
    return "CREATE TABLE \(name) ( \(list.joined(separator: ", ")) )"
  }
}
