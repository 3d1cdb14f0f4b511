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
  func drop() throws {
    for table in Self.tables { try connection.execute("DROP TABLE IF EXISTS main.\(table)") }
    for entity in HistoryTables.entities {
      try connection.run(
        "DELETE FROM main.Z_PRIMARYKEY WHERE Z_ENT = ?1", [.integer(Int64(entity.number))])
    }
  }

  /// Fills the new store's tables from the source's.
  ///
  /// - Parameter isTruncated: Whether everything goes up to the last change of an object whose
  ///   entity ends, and not these changes alone.
  /// - Throws: ``Failure`` for a change that does not fit its entity.
  func keep(isTruncated: Bool) throws {
    guard try isThere() else { return }
    try makeTables()
    let changes = HistoryChanges(builder)
    let last = isTruncated ? try lastOfRemoved(changes) : nil
    try changes.makeBitmaps(after: last)
    let schema = try Schema(of: connection, "source")
    for table in Self.tables where schema.table(table) != nil { try copy(table, changes, last) }
  }

  /// How many changes are there and how many not, read from both stores: a killed run may have
  /// copied them.
  func report(_ choice: FinishChoices.History, _ summary: inout FinishSummary) throws {
    guard try isThere() else { return }
    let all = try count("source")
    guard choice != .drop else {
      summary.droppedChanges = all
      summary.warnings.append(
        StoreWarning(
          "history", "It was dropped: history tokens that an application saved lead nowhere now."))
      return
    }
    summary.keptChanges = try count("main")
    summary.droppedChanges = all - summary.keptChanges
    guard summary.droppedChanges > 0 else { return }
    let dropped = Self.number(of: summary.droppedChanges)
    let isTruncated =
      try choice == .truncate && lastOfRemoved(HistoryChanges(builder)) != nil
    summary.warnings.append(
      StoreWarning(
        "history",
        isTruncated
          ? "\(dropped) left behind: all up to the last one of an object whose entity ends."
          : "\(dropped) left behind: the new store does not have the objects."))
  }

  private static func number(of changes: Int) -> String {
    changes == 1 ? "1 change was" : "\(changes) changes were"
  }

  /// The last transaction with a change of an object whose entity ends; nil when there is none.
  private func lastOfRemoved(_ changes: HistoryChanges) throws -> Int64? {
    try connection.integer(
      """
      SELECT max(ZTRANSACTIONID) FROM source.ACHANGE
      WHERE ZENTITY IN (\(LinkReading.list(changes.removed)))
      """)
  }

  /// Adds the transaction by which Core Data marks that the model has changed.
  func mark(at time: Double) throws {
    guard try isThere() else { return }
    let columns = Set(try connection.columns(of: "ATRANSACTION", in: "main").map(\.name))
    let hasStrings = columns.contains("ZAUTHORTS")
    let author: Value =
      hasStrings ? .integer(try key(ofText: HistoryTables.migrator)) : .text(HistoryTables.migrator)
    try connection.run(
      """
      INSERT INTO main.ATRANSACTION (Z_PK, Z_ENT, Z_OPT, \(hasStrings ? "ZAUTHORTS" : "ZAUTHOR"),
      ZTIMESTAMP) VALUES (?1, 16002, 1, ?2, ?3)
      """, [.integer(try nextKey(of: "ATRANSACTION")), author, .real(time)])
  }

  private func key(ofText text: String) throws -> Int64 {
    let known = try connection.integer(
      "SELECT Z_PK FROM main.ATRANSACTIONSTRING WHERE ZNAME = ?1", [.text(text)])
    if let known { return known }
    let key = try nextKey(of: "ATRANSACTIONSTRING")
    try connection.run(
      "INSERT INTO main.ATRANSACTIONSTRING (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?1, 16003, 1, ?2)",
      [.integer(key), .text(text)])
    return key
  }

  /// A key that no row of the table has had.
  private func nextKey(of table: String) throws -> Int64 {
    let number = Self.number(of: table)
    let highest = try connection.integer(
      """
      SELECT max(ifnull((SELECT max(Z_PK) FROM main.\(table)), 0),
      ifnull((SELECT Z_MAX FROM main.Z_PRIMARYKEY WHERE Z_ENT = ?1), 0))
      """, [.integer(number)])
    return (highest ?? 0) + 1
  }

  private static func number(of table: String) -> Int64 {
    let entity = HistoryTables.entities.first { "A\($0.name)" == table }
    return Int64(entity?.number ?? 0)
  }

  /// Notes the highest key that each table has had.
  func raiseKeys() throws {
    guard try isThere() else { return }
    let there = try Schema(of: connection)
    for table in Self.tables where there.table(table) != nil {
      try connection.run(
        """
        UPDATE main.Z_PRIMARYKEY SET Z_MAX = max(
          ifnull((SELECT p.Z_MAX FROM source.Z_PRIMARYKEY AS p WHERE p.Z_ENT = ?1), 0),
          ifnull((SELECT max(Z_PK) FROM main.\(table)), 0)) WHERE Z_ENT = ?1
        """, [.integer(Self.number(of: table))])
    }
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

  /// Copies one table, without what stands in transactions up to `last`; columns that other
  /// versions of Core Data have come along.
  private func copy(_ table: String, _ changes: HistoryChanges, _ last: Int64?) throws {
    let old = try connection.columns(of: table, in: "source")
    let new = try connection.columns(of: table, in: "main").map(\.name)
    let more = old.filter { !new.contains($0.name) }
    for column in more {
      try connection.execute(
        "ALTER TABLE main.\(table) ADD COLUMN \(quoted(column.name)) \(column.type)")
    }
    let there = Set(old.map(\.name))
    let isOfChanges = table == "ACHANGE"
    let names = (new + more.map(\.name)).filter { isOfChanges || there.contains($0) }
    let values = names.map {
      isOfChanges ? changes.value(of: $0, there: there) : "s.\(quoted($0))"
    }
    let conditions = [
      isOfChanges ? changes.filter : nil,
      last.flatMap { last in
        isOfChanges
          ? "s.ZTRANSACTIONID > \(last)" : table == "ATRANSACTION" ? "s.Z_PK > \(last)" : nil
      },
    ].compactMap(\.self)
    let filter = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    try connection.run(
      """
      INSERT INTO main.\(table) (\(names.map(quoted).joined(separator: ", ")))
      SELECT \(values.joined(separator: ", ")) FROM source.\(table) AS s\(filter)
      """, [])
  }

  private func quoted(_ name: String) -> String { Identifier.quoted(name) }
}
