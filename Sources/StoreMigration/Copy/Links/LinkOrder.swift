internal import SQLite

/// Places for objects that had none, as Core Data gives them: 2048, 3072, 4096 and so on.
enum LinkOrder {
  /// The place of a key among those that belong to one owner.
  static func place(of key: String, within owner: String) -> String {
    "2048 + 1024 * (row_number() OVER (PARTITION BY \(owner) ORDER BY \(key)) - 1)"
  }

  /// Gives places to the rows of a table that have an owner and no place.
  static func number(_ columns: LinkColumns, _ connection: Connection) throws {
    guard let position = columns.position else { return }
    try connection.run(
      """
      UPDATE main.\(columns.table) AS t SET \(position) = q.place
      FROM (SELECT Z_PK AS id, \(place(of: "Z_PK", within: columns.key)) AS place
      FROM main.\(columns.table) WHERE \(columns.key) IS NOT NULL) AS q
      WHERE t.Z_PK = q.id AND t.\(position) IS NULL
      """, [])
  }
}
