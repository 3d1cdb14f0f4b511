internal import SQLite

/// Lets only tables be read that are what Core Data makes: plain ones.
struct TableGuard {
  /// The path of the store, for messages.
  let path: String
  let connection: Connection
  /// The tables, indexes, views and triggers.
  let schema: Schema

  /// The columns of an ordinary table, none of them computed.
  func columns(of table: String) throws -> [SchemaColumn] {
    guard let object = schema.table(table) else { throw refusal(of: table) }
    let columns = try connection.columns(of: object, in: schema)
    if let computed = columns.first(where: { $0.kind != .normal }) {
      throw Failure(
        .unusable, what: "cannot read the table", subject: "\(path), \(table)",
        why: "Its column \(computed.name) is computed, and Core Data makes no such columns.",
        remedy: "Find out what changed the store, or restore it from a backup.")
    }
    return columns
  }

  /// The same, with the columns that must be among them.
  func require(_ names: [String], of table: String) throws {
    let columns = try columns(of: table).map(\.name)
    guard let missing = names.first(where: { !columns.contains($0) }) else { return }
    throw Failure(
      .unusable, what: "cannot read the table", subject: "\(path), \(table)",
      why: "It has no column \(missing).", remedy: Failure.restore)
  }

  private func refusal(of table: String) -> Failure {
    let other = schema.objects.first { $0.name.lowercased() == table.lowercased() }
    let why =
      switch other?.kind {
      case nil: "There is no such table."
      case .view: "It is a view, and Core Data keeps its objects in tables."
      case .virtualTable: "It is a virtual table, and Core Data keeps its objects in plain ones."
      case .table: "The table's name is written \(other?.name ?? "otherwise")."
      case .index, .trigger: "There is no such table, but another thing of that name."
      }
    return Failure(
      .unusable, what: "cannot read the table", subject: "\(path), \(table)", why: why,
      remedy: Failure.restore)
  }
}
