internal import SQLite

/// The tables of our own in a store that is being built; a finished store has none of them.
package enum BuilderTables {
  /// How far each unit of work has come.
  package static let progress = "pipeline_progress"
  /// Which objects of the target came from which of the source, where keys do not say it.
  package static let objects = "pipeline_objects"

  /// Which file of the source each external value of the new store is in.
  package static let externals = "pipeline_externals"

  /// Which relationships of which objects a script has set, so that the mapping adds nothing.
  package static let assigned = "pipeline_assigned"

  /// Which objects of the target have taken the place of those that came of the source's.
  package static let merged = "pipeline_merged"

  /// The objects of the source that a retry puts into a store which is finished otherwise; not in
  /// runs.
  static let refilled = "pipeline_refilled"
  /// The objects of the target that came of these.
  static let putIn = "pipeline_put_in"
  /// The highest key of each table before a retry, and the one that new keys are above.
  static let earlierKeys = "pipeline_earlier_keys"
  /// The statements of the unique indexes that a retry has taken away until its objects are there.
  static let earlierIndexes = "pipeline_earlier_indexes"
  /// What only a retry has.
  static let ofRetry = [refilled, putIn, earlierKeys, earlierIndexes]

  /// Whether a row of the target is one of ``putIn``, as SQL.
  static func isPutIn(_ alias: String) -> String {
    """
    EXISTS (SELECT 1 FROM main.\(putIn) AS p
    WHERE p.entity = \(alias).Z_ENT AND p.object = \(alias).Z_PK)
    """
  }

  /// The objects of the source that a run had rejected which is done again: they are left out once
  /// more; not in other runs.
  static let leftOut = "pipeline_left_out"

  /// The names of all of them, for the code that drops them.
  package static let all = [progress, objects, externals, assigned, merged]

  /// The statements that make them.
  ///
  /// Each commit notes how far it has come: without rowids that is one page, and not one of the
  /// table and one of its key. Stores that older builds began have rowids there, which nothing asks
  /// for: both are resumed alike.
  static let sql = [
    """
    CREATE TABLE \(progress) (unit TEXT PRIMARY KEY, last INTEGER, rows INTEGER, made INTEGER,
    bytes INTEGER, state BLOB, done INTEGER) WITHOUT ROWID
    """,
    """
    CREATE TABLE \(objects) (source_entity INTEGER, source INTEGER, entity INTEGER,
    object INTEGER, place INTEGER)
    """,
    "CREATE TABLE \(externals) (name TEXT PRIMARY KEY, source TEXT) WITHOUT ROWID",
    """
    CREATE TABLE \(assigned) (relationship TEXT, object INTEGER,
    PRIMARY KEY (relationship, object)) WITHOUT ROWID
    """,
    """
    CREATE TABLE \(merged) (source_entity INTEGER, source INTEGER, entity INTEGER,
    object INTEGER, place INTEGER)
    """,
  ]

  /// The statements that make their indexes, for a store whose tables may get many rows.
  static let indexes = [
    ("\(merged)_object", "\(merged) (entity, object)"),
    ("\(merged)_source", "\(merged) (source_entity, source)"),
    ("\(objects)_source", "\(objects) (source_entity, source, entity, object)"),
    ("\(objects)_object", "\(objects) (entity, object, source_entity, source)"),
  ].map { name, columns in "CREATE INDEX IF NOT EXISTS main.\(name) ON \(columns)" }
}

extension BuilderTables {
  /// Makes a table with keys of the source's objects, by the number of their entity, in the
  /// caller's transaction.
  static func note(
    _ keys: [(number: Int, keys: [Int64])], as table: String, _ connection: Connection
  ) throws(SQLiteError) {
    try connection.execute(
      """
      CREATE TABLE main.\(table) (source_entity INTEGER, source INTEGER,
      PRIMARY KEY (source_entity, source)) WITHOUT ROWID
      """)
    let insert = try connection.prepare("INSERT OR IGNORE INTO main.\(table) VALUES (?1, ?2)")
    for (number, keys) in keys {
      for key in keys {
        try insert.bind([.integer(Int64(number)), .integer(key)])
        try insert.run()
      }
    }
  }
}
