internal import CoreDataStore
internal import SQLite

/// Brings the history of changes over, with the numbers and keys that its objects have now.
struct HistoryCopy {
  static let tables = ["ATRANSACTIONSTRING", "ATRANSACTION", "ACHANGE"]
  /// What is a history even where the texts of transactions have no table of their own.
  private static let needed = ["ATRANSACTION", "ACHANGE"]

  let builder: StoreBuilder
  private var connection: Connection { builder.connection }

  /// Whether the source has a history.
  func isThere() throws -> Bool {
    let schema = try Schema(of: connection, "source")
    return Self.needed.allSatisfy { schema.table($0) != nil }
  }

  /// Takes the tables out of the new store again, and their entries with them.
  func drop(_ summary: inout FinishSummary) throws {
    if try isThere() {
      summary.droppedChanges = try count("source")
      summary.warnings.append(
        StoreWarning(
          "history", "It was dropped: history tokens that an application saved lead nowhere now."))
    }
    for table in Self.tables { try connection.execute("DROP TABLE IF EXISTS main.\(table)") }
    for entity in HistoryTables.entities {
      try connection.run(
        "DELETE FROM main.Z_PRIMARYKEY WHERE Z_ENT = ?1", [.integer(Int64(entity.number))])
    }
  }

  /// Fills the new store's tables from the source's.
  func keep(_ summary: inout FinishSummary) throws {
    guard try isThere() else { return }
    try makeTables()
    let schema = try Schema(of: connection, "source")
    for table in Self.tables where schema.table(table) != nil { try copy(table, &summary) }
    for entity in HistoryTables.entities {
      try connection.run(
        """
        UPDATE main.Z_PRIMARYKEY SET Z_MAX = ifnull((SELECT p.Z_MAX FROM source.Z_PRIMARYKEY AS p
        WHERE p.Z_ENT = ?1), 0) WHERE Z_ENT = ?1
        """, [.integer(Int64(entity.number))])
    }
    summary.keptChanges = try count("main")
    summary.droppedChanges = try count("source") - summary.keptChanges
    guard summary.droppedChanges > 0 else { return }
    summary.warnings.append(
      StoreWarning(
        "history",
        "Changes left behind because their objects' entity or key is not in the new store: "
          + "\(summary.droppedChanges)."))
  }

  private func count(_ schema: String) throws -> Int {
    Int(try connection.integer("SELECT count(*) FROM \(schema).ACHANGE") ?? 0)
  }

  /// The tables, where the new store was begun without them.
  private func makeTables() throws {
    guard try Schema(of: connection).table("ACHANGE") == nil else { return }
    for statement in HistoryTables(for: builder.targetSchema.model).tables {
      try connection.execute(statement)
    }
    for entity in HistoryTables.entities {
      try connection.run(
        "INSERT OR IGNORE INTO main.Z_PRIMARYKEY VALUES (?1, ?2, 0, 0)",
        [.integer(Int64(entity.number)), .text(entity.name)])
    }
  }

  /// Copies one table; columns that other versions of Core Data have come along.
  private func copy(_ table: String, _ summary: inout FinishSummary) throws {
    let old = try connection.columns(of: table, in: "source")
    let new = Set(try connection.columns(of: table, in: "main").map(\.name))
    for column in old where !new.contains(column.name) {
      try connection.execute(
        "ALTER TABLE main.\(table) ADD COLUMN \(Identifier.quoted(column.name)) \(column.type)")
    }
    let names = old.map(\.name)
    let changes = HistoryChanges(builder)
    let values = names.map { table == "ACHANGE" ? changes.value(of: $0) : "s.\(quoted($0))" }
    let filter = table == "ACHANGE" ? " WHERE \(changes.filter)" : ""
    try connection.run(
      """
      INSERT INTO main.\(table) (\(names.map(quoted).joined(separator: ", ")))
      SELECT \(values.joined(separator: ", ")) FROM source.\(table) AS s\(filter)
      """, [])
    if table == "ACHANGE" { summary.warnings += changes.warnings }
  }

  private func quoted(_ name: String) -> String { Identifier.quoted(name) }
}
