internal import SQLite

/// How many objects of each entity a store has.
package enum ObjectCounts {
  /// Counts the objects of a store that this library made, and its bytes as a file of its own.
  ///
  /// What `walk` has counted in the store's tables is not counted again.
  ///
  /// - Throws: ``Failure`` when the file cannot be read.
  package static func of(
    _ path: String, _ schema: StoreSchema, _ opened: OpenedStores = OpenedStores(),
    since walk: StoreMoment.Walk? = nil
  ) throws -> (objects: [String: Int], bytes: Int64) {
    do {
      let connection = try opened.connection(to: path)
      return try connection.readingAtOnce {
        let pages = try connection.integer("PRAGMA main.page_count") ?? 0
        let bytes = try pages * (connection.integer("PRAGMA main.page_size") ?? 0)
        return (try counts(connection, schema, walk), bytes)
      }
    } catch let error as SQLiteError {
      throw Failure(error, what: "cannot count the objects", subject: path)
    }
  }

  private static func counts(
    _ connection: Connection, _ schema: StoreSchema, _ walk: PageWalk?
  ) throws -> [String: Int] {
    let known = try connection.rows(since: walk)
    var counts: [String: Int] = [:]
    for table in schema.tables {
      let numbers = table.entities.compactMap { schema.entity(named: $0)?.number }
      let rows =
        try known[table.name].flatMap { RowCounts($0, without: []) }
        ?? connection.rowCounts(
          of: table.name, expecting: numbers.map(Int64.init), meeting: [])
      for (number, count) in rows.byEntity {
        if let entity = schema.entity(number: Int(number)) { counts[entity.name] = Int(count) }
      }
    }
    return counts
  }
}
