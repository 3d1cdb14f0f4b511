internal import CSQLite

/// Proves that indexes hold what a table holds: an entry for each row with its values, no other
/// entries, and all of them in the index's order.
///
/// The whole check of SQLite looks each row up in each index. Here each tree is read once, from one
/// end to the other: the sum of a hash of all entries must be that of all rows, and each entry must
/// come behind the one before. Then a search finds what is there. Whether the pages are a tree at
/// all, the quick check finds out.
package struct IndexProof {
  private static let function = "pipeline_entries"
  /// The same as in the aggregate.
  private static let mostColumns = 63
  private static let uniqueBit: Int64 = 1 << 62

  private let connection: Connection

  /// Makes the aggregate known to a connection, on which no statement may be under way.
  package init(_ connection: Connection) throws(SQLiteError) {
    self.connection = connection
    let code = unsafe csqlite_create_entries(try connection.handle(), Self.function)
    guard code == SQLITE_OK else {
      throw SQLiteError(code, "SQLite refuses a function", path: connection.path)
    }
  }

  /// Proves indexes of a table in the main file.
  ///
  /// - Parameters:
  ///   - owner: The table that the indexes belong to.
  ///   - names: The indexes that are asked for; nil for all.
  ///   - rows: The table whose rows they must hold, which has the indexed columns.
  ///   - schema: The schema that has `rows`.
  /// - Returns: The names of those that are right.
  /// - Throws: ``SQLiteError`` when a tree cannot be read.
  package func right(
    of owner: String, named names: Set<String>? = nil, holding rows: String,
    in schema: String = "main"
  ) throws(SQLiteError) -> Set<String> {
    // Text is compared byte by byte, which is SQLite's order for this encoding.
    guard try connection.string("PRAGMA main.encoding") == "UTF-8" else { return [] }
    let indexes = try connection.indexes(of: owner).filter { index in
      names?.contains(index.name) ?? true && Self.canBeProved(index)
    }
    guard !indexes.isEmpty else { return [] }
    let sums = indexes.map { entry($0, order: "NULL") }.joined(separator: ", ")
    let table = Identifier.quoted(rows, in: schema)
    guard let expected = try pass("SELECT \(sums) FROM \(table) AS t NOT INDEXED", reading: nil)
    else { return [] }
    var right: Set<String> = []
    for (index, sum) in zip(indexes, expected) where try entries(of: index, owner) == sum {
      right.insert(index.name)
    }
    return right
  }

  /// Partial indexes, and those that compare in another way than by bytes, are not looked at.
  static func canBeProved(_ index: TableIndex) -> Bool {
    let keys = index.columns.filter(\.isKey)
    return !index.isPartial && keys.count < mostColumns && index.columns.count == keys.count + 1
      && index.columns.last?.tableColumn == -1
      && keys.allSatisfy { $0.name != nil && $0.tableColumn >= 0 && $0.collation == "BINARY" }
  }

  private func entry(_ index: TableIndex, order: String) -> String {
    let keys = index.columns.filter(\.isKey).compactMap(\.name).map { "t.\(Identifier.quoted($0))" }
    return "\(Self.function)(\(([order] + keys + ["t.rowid"]).joined(separator: ", ")))"
  }

  private func entries(of index: TableIndex, _ owner: String) throws(SQLiteError) -> Value? {
    var order: Int64 = index.isUnique ? Self.uniqueBit : 0
    for (place, column) in index.columns.enumerated() where column.isKey && column.isDescending {
      order |= 1 << Int64(place)
    }
    let table = Identifier.quoted(owner, in: "main")
    let sql = """
      SELECT \(entry(index, order: "\(order)")) FROM \(table) AS t
      INDEXED BY \(Identifier.quoted(index.name))
      """
    return try pass(sql, reading: index.name)?.first
  }

  /// The row of a pass; nil when it would not read the tree that it is for, from end to end.
  private func pass(_ sql: String, reading index: String?) throws(SQLiteError) -> [Value]? {
    let steps = try connection.rows("EXPLAIN QUERY PLAN \(sql)").compactMap { $0.last?.string }
    guard steps.count == 1, let step = steps.first, step.hasPrefix("SCAN ") else { return nil }
    let reads =
      index.map { step.hasSuffix(" USING COVERING INDEX \($0)") } ?? !step.contains(" USING ")
    guard reads else { return nil }
    // It reads all of a tree in one statement.
    let found = try connection.interrupting(when: { Task.isCancelled }) { () throws(SQLiteError) in
      try connection.rows(sql)
    }
    return found.first
  }
}
