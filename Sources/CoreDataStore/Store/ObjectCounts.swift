internal import SQLite

/// How many objects of each entity a store has.
package enum ObjectCounts {
  /// Counts the objects of a store that this library made, and its bytes as a file of its own.
  ///
  /// - Throws: ``Failure`` when the file cannot be read.
  package static func of(
    _ path: String, _ schema: StoreSchema, _ opened: OpenedStores = OpenedStores()
  ) throws -> (objects: [String: Int], bytes: Int64) {
    do {
      let connection = try opened.connection(to: path)
      return try connection.readingAtOnce {
        let pages = try connection.integer("PRAGMA main.page_count") ?? 0
        let bytes = try pages * (connection.integer("PRAGMA main.page_size") ?? 0)
        return (try counts(connection, schema), bytes)
      }
    } catch let error as SQLiteError {
      throw Failure(error, what: "cannot count the objects", subject: path)
    }
  }

  private static func counts(
    _ connection: Connection, _ schema: StoreSchema
  ) throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for table in schema.tables {
      let numbers = table.entities.compactMap { schema.entity(named: $0)?.number }
      let rows = try connection.rowCounts(
        of: table.name, expecting: numbers.map(Int64.init), meeting: []
      ).byEntity
      for (number, count) in rows {
        if let entity = schema.entity(number: Int(number)) { counts[entity.name] = Int(count) }
      }
    }
    return counts
  }
}
