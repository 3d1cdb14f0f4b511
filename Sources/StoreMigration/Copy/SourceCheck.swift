internal import CoreDataStore
internal import SQLite

/// Sees that the source has the tables and columns that are going to be read, and plain ones.
///
/// A view of a table's name would run a query of somebody else's.
struct SourceCheck {
  private let builder: StoreBuilder

  init(_ builder: StoreBuilder) { self.builder = builder }

  /// - Throws: ``StoreError`` naming the table and what is wrong with it.
  func run() throws {
    let schema = builder.sourceSchema
    for table in schema.tables { try check(table.name, table.columns.map(\.name)) }
    for table in schema.joinTables { try check(table.name, table.columns) }
    try check("Z_PRIMARYKEY", ["Z_ENT", "Z_MAX"])
  }

  private func check(_ table: String, _ columns: [String]) throws {
    let found: [SchemaColumn]
    do {
      found = try builder.connection.columns(of: table, in: "source")
    } catch {
      throw StoreError(error, what: "cannot read the table", subject: subject(table))
    }
    let plain = Set(found.filter { $0.kind == .normal }.map(\.name))
    guard let missing = columns.first(where: { !plain.contains($0) }) else { return }
    throw StoreError(
      .unusable, what: "cannot read the table", subject: subject(table),
      why: "It has no ordinary column \(missing), which the model says it has.",
      remedy: StoreError.restore)
  }

  private func subject(_ table: String) -> String { "\(builder.sourcePath), \(table)" }
}
