internal import CoreDataStore
internal import SQLite

/// Links that travelled to objects which are in the source and not in the result.
struct LinkLoss {
  let place: LinkPlace
  let travelled: Set<Int>
  let target: StoreSchema
  let connection: Connection

  /// The rows of the target, `t`, whose link leads to such an object.
  ///
  /// A link that led nowhere in the source stays as it is.
  private var condition: String? {
    let numbers =
      place.other.members.filter(\.mayBeLeftOut).map(\.source) + place.other.strangers
    let entities = place.own.members.filter { travelled.contains($0.source) }.compactMap(\.target)
    guard !numbers.isEmpty, !entities.isEmpty else { return nil }
    let key = "t.\(place.new.key)"
    return """
      \(key) IS NOT NULL AND t.Z_ENT IN (\(LinkReading.list(entities)))
      AND EXISTS (SELECT 1 FROM \(Identifier.quoted(place.other.sourceTable, in: "source")) AS f
      WHERE f.Z_PK = \(key) AND f.Z_ENT IN (\(LinkReading.list(numbers))))
      AND NOT EXISTS (SELECT 1 FROM main.\(place.other.targetTable) AS o WHERE o.Z_PK = \(key))
      """
  }

  /// How many links travelled and are there.
  func kept() throws -> Int {
    let entities = place.own.members.filter { travelled.contains($0.source) }.compactMap(\.target)
    let count = try connection.integer(
      """
      SELECT count(*) FROM main.\(place.new.table) AS t
      WHERE t.\(place.new.key) IS NOT NULL AND t.Z_ENT IN (\(LinkReading.list(entities)))
      """)
    return Int(count ?? 0)
  }

  /// The first row and the object it leads to, and how many such rows there are.
  func first() throws -> (own: Int64, other: Int64, count: Int)? {
    guard let condition else { return nil }
    let row = try connection.rows(
      """
      SELECT t.Z_PK, t.\(place.new.key), count(*) OVER () FROM main.\(place.new.table) AS t
      WHERE \(condition) ORDER BY t.Z_PK LIMIT 1
      """
    ).first
    guard let own = row?[0].integer, let other = row?[1].integer else { return nil }
    return (own, other, Int(row?[2].integer ?? 1))
  }

  /// Takes the links away; gives back how many there were.
  func remove() throws -> Int {
    guard let condition else { return 0 }
    let columns = [place.new.key, place.new.entity, place.new.position].compactMap(\.self)
    return try connection.run(
      """
      UPDATE main.\(place.new.table) AS t
      SET \(columns.map { "\($0) = NULL" }.joined(separator: ", ")) WHERE \(condition)
      """, [])
  }
}
