internal import CoreDataStore
internal import SQLite

/// Indexes of our own, so that a script can link many objects one by one, and find each by a value.
///
/// The indexes of the model are made when all objects are there. Until then the place behind the
/// last of 200,000 objects would be looked for in all of them, for each. `StoreFinish` drops ours.
final class LinkIndexes {
  private static let prefix = "pipeline_link_"
  private let builder: StoreBuilder
  private var made: Set<String> = []
  private var wanted: [String: String] = [:]
  /// The rows that searches have gone through, by the name of the index that would spare them.
  private var scanned: [String: Int] = [:]

  /// Searches that go through fewer rows cost less than an index.
  private static let fewRows = 1_000

  /// Whether a statement stands on a row of the source; then no index is made.
  ///
  /// "ROLLBACK TO" after a change of the schema ends reading statements, too (SQLite,
  /// `sqlite3BtreeTripAllCursors`): an object that is left out would end the chunk.
  var isReading = false

  init(_ builder: StoreBuilder) { self.builder = builder }

  /// Asks for an index on columns of a table of the target; it is there at the latest when the
  /// next chunk begins.
  func want(_ columns: [String], of table: String) throws {
    try want(Self.name(columns, table), columns.map { Identifier.quoted($0) }, of: table)
  }

  /// Asks for an index for a search, if earlier ones for values of the same columns have gone
  /// through many rows.
  ///
  /// A search that uses an index goes through none. So nothing is made for a single search, for an
  /// empty table, and where the model's own index is there.
  func want(for search: ScriptedCopy.Search) throws {
    guard scanned[search.index, default: 0] > Self.fewRows, !made.contains(search.index)
    else { return }
    let parts = search.indexed.sorted { $0.key < $1.key }.map(\.value)
    try want(search.index, parts, of: search.layout.table)
  }

  /// Notes how many rows a search has gone through.
  func note(scanned rows: Int, by search: ScriptedCopy.Search) {
    if rows > 0, !search.indexed.isEmpty { scanned[search.index, default: 0] += rows }
  }

  private func want(_ name: String, _ parts: [String], of table: String) throws {
    guard !made.contains(name) else { return }
    wanted[name] = """
      CREATE INDEX IF NOT EXISTS \(Identifier.quoted(name, in: "main"))
      ON \(Identifier.quoted(table)) (\(parts.joined(separator: ", ")))
      """
    if !isReading { try make() }
  }

  /// What an index on columns of a table is called.
  static func name(_ columns: [String], _ table: String) -> String {
    prefix + ([table] + columns).joined(separator: "_")
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
