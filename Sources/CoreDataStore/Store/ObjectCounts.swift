internal import SQLite

/// How many objects of each entity a store has.
package enum ObjectCounts {
  /// Counts the objects of a store that this library made.
  ///
  /// - Throws: ``StoreError`` when the file cannot be read.
  package static func of(_ path: String, _ schema: StoreSchema) throws -> [String: Int] {
    do {
      let connection = try Connection(path: path, mode: .foreign)
      defer { try? connection.close() }
      return try counts(connection, schema)
    } catch let error as SQLiteError {
      throw StoreError(error, what: "cannot count the objects", subject: path)
    }
  }

  private static func counts(
    _ connection: Connection, _ schema: StoreSchema
  ) throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for table in schema.tables {
      let sql = "SELECT Z_ENT, count(*) FROM \(Identifier.quoted(table.name)) GROUP BY Z_ENT"
      try connection.query(sql) { row in
        let entity = row.integer(0).flatMap { schema.entity(number: Int($0)) }
        if let entity { counts[entity.name] = Int(row.integer(1) ?? 0) }
      }
    }
    return counts
  }
}
