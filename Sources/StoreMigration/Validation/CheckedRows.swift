internal import CoreDataStore
internal import SQLite

/// The rows that the rules of one entity are checked on.
struct CheckedRows {
  /// The table or view, with its schema, quoted.
  let table: String
  /// The condition that distinguishes the rows from others in it, over `s`.
  let condition: String
  /// The entity that failures name.
  let entity: String

  /// The objects of an entity in the store itself.
  init(of layout: EntityLayout) {
    table = Identifier.quoted(layout.table, in: "main")
    condition = "s.Z_ENT = \(layout.number)"
    entity = layout.name
  }

  /// Rows in all their parts.
  init(table: String, condition: String, entity: String) {
    self.table = table
    self.condition = condition
    self.entity = entity
  }
}
