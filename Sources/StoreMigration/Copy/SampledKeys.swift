internal import CoreDataStore
internal import SQLite

/// Keys of some objects of an entity, spread evenly between the lowest and the highest.
struct SampledKeys {
  /// A query that gives them: the first key in each of so many parts of the way, where one is.
  ///
  /// No row is read twice, however rare the entity is in its table.
  let sql: String

  /// The keys of at most `count` objects of an entity, in a store that the connection knows by this
  /// name.
  init(_ count: Int, of layout: EntityLayout, in database: String) {
    let table = Identifier.quoted(layout.table, in: database)
    // Where the way is longer than an integer is, SQLite makes a REAL of it: near enough there.
    let own = layout.isOwn()
    func start(_ step: String) -> String {
      let way = "(high - low) * (\(step) / \(max(1, count - 1)).0)"
      return "CASE typeof(high - low) WHEN 'integer' THEN low + CAST(\(way) AS INTEGER) "
        + "ELSE CAST(low + \(way) AS INTEGER) END"
    }
    sql = """
      WITH RECURSIVE bounds(low, high) AS
      (SELECT (SELECT Z_PK FROM \(table) WHERE \(own) ORDER BY Z_PK LIMIT 1),
      (SELECT Z_PK FROM \(table) WHERE \(own) ORDER BY Z_PK DESC LIMIT 1)),
      steps(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM steps WHERE i + 1 < \(count))
      SELECT (SELECT Z_PK FROM \(table) WHERE \(own)
      AND Z_PK BETWEEN \(start("i")) AND max(\(start("i")), \(start("(i + 1)")) - 1)
      ORDER BY Z_PK LIMIT 1) FROM bounds, steps
      """
  }
}
