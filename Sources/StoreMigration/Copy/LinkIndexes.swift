internal import SQLite

/// Indexes of our own on columns of links, so that a script can link many objects one by one.
///
/// The indexes of the model are made when all objects are there. Until then the place behind the
/// last of 200,000 objects would be looked for in all of them, for each. `StoreFinish` drops ours.
final class LinkIndexes {
  private static let prefix = "pipeline_link_"
  private let builder: StoreBuilder
  private var made: Set<String> = []
  private var wanted: [String: String] = [:]

  /// Whether a statement stands on a row of the source; then no index is made.
  ///
  /// "ROLLBACK TO" after a change of the schema ends reading statements, too (SQLite,
  /// `sqlite3BtreeTripAllCursors`): an object that is left out would end the chunk.
  var isReading = false

  init(_ builder: StoreBuilder) { self.builder = builder }

  /// Asks for an index on columns of a table of the target; it is there at the latest when the
  /// next chunk begins.
  func want(_ columns: [String], of table: String) throws {
    let name = Self.prefix + ([table] + columns).joined(separator: "_")
    guard !made.contains(name) else { return }
    let list = columns.map { Identifier.quoted($0) }.joined(separator: ", ")
    wanted[name] = """
      CREATE INDEX IF NOT EXISTS \(Identifier.quoted(name, in: "main"))
      ON \(Identifier.quoted(table)) (\(list))
      """
    if !isReading { try make() }
  }

  /// Makes those that were asked for.
  func make() throws {
    for (name, sql) in wanted.sorted(by: { $0.key < $1.key }) {
      try builder.telling("cannot make an index", builder.path) {
        try builder.connection.execute(sql)
      }
      made.insert(name)
    }
    wanted = [:]
  }

  /// Drops all of them: a finished store has none.
  static func drop(_ connection: Connection) throws(SQLiteError) {
    let names = try connection.rows(
      "SELECT name FROM main.sqlite_master WHERE type = 'index' AND name GLOB ?1",
      [.text("\(prefix)*")])
    for name in names.compactMap({ $0[0].string }) {
      try connection.execute("DROP INDEX \(Identifier.quoted(name, in: "main"))")
    }
  }
}
