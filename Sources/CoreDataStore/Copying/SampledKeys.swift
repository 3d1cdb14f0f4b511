internal import SQLite

/// Keys of some objects of an entity, spread evenly between the lowest and the highest.
struct SampledKeys {
  /// A query that gives them: the first key behind each of so many, few of them twice.
  let sql: String

  /// The keys of at most `count` objects of an entity, in a store that the connection knows by this
  /// name.
  init(_ count: Int, of layout: EntityLayout, in database: String) {
    let table = Identifier.quoted(layout.table, in: database)
    let number = layout.number
    sql = """
      WITH RECURSIVE bounds(low, high) AS
      (SELECT min(Z_PK), max(Z_PK) FROM \(table) WHERE Z_ENT = \(number)),
      steps(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM steps WHERE i + 1 < \(count))
      SELECT (SELECT Z_PK FROM \(table) WHERE Z_ENT = \(number)
      AND Z_PK >= low + CAST((high - low) * (i / \(max(1, count - 1)).0) AS INTEGER)
      ORDER BY Z_PK LIMIT 1) FROM bounds, steps
      """
  }
}
