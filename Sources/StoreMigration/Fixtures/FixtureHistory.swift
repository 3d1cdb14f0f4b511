package import CoreDataStore
internal import SQLite

/// The persistent history of a store that was built from plain values.
package enum FixtureHistory {
  /// Notes that an application has inserted every object, a transaction for each entity.
  ///
  /// - Parameters:
  ///   - store: A store that keeps a history, which is empty.
  ///   - schema: The store's schema.
  ///   - author: Who is said to have done it.
  ///   - date: When, in seconds since 2001.
  /// - Throws: ``Failure``.
  package static func note(
    _ store: String, _ schema: StoreSchema, author: String, date: Double
  ) throws {
    try replacing("cannot make the new store", store) {
      let connection = try Connection(path: store, mode: .own(create: false))
      try connection.transaction {
        try connection.run(
          "INSERT INTO ATRANSACTIONSTRING VALUES (1, 16003, 1, ?1)", [.text(author)])
        for (place, layout) in layouts(schema).enumerated() {
          try note(layout, Int64(place + 1), date, connection)
        }
        try raise(connection)
      }
      try connection.close()
    }
  }

  private static func layouts(_ schema: StoreSchema) -> [EntityLayout] {
    schema.model.entities.filter { !$0.isAbstract }.compactMap { schema.entity(named: $0.name) }
  }

  private static func note(
    _ layout: EntityLayout, _ transaction: Int64, _ date: Double, _ connection: Connection
  ) throws(SQLiteError) {
    try connection.run(
      """
      INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZAUTHORTS, ZTIMESTAMP)
      VALUES (?1, 16002, 1, 1, ?2)
      """, [.integer(transaction), .real(date + Double(transaction))])
    try connection.run(
      """
      INSERT INTO ACHANGE (Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
      SELECT 16001, 1, 0, Z_ENT, Z_PK, ?1 FROM \(Identifier.quoted(layout.table))
      WHERE Z_ENT = ?2 ORDER BY Z_PK
      """, [.integer(transaction), .integer(Int64(layout.number))])
  }

  private static func raise(_ connection: Connection) throws(SQLiteError) {
    for (number, table) in [
      (16001, "ACHANGE"), (16002, "ATRANSACTION"), (16003, "ATRANSACTIONSTRING"),
    ] {
      try connection.run(
        """
        UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT ifnull(max(Z_PK), 0) FROM \(table))
        WHERE Z_ENT = ?1
        """, [.integer(Int64(number))])
    }
  }
}
