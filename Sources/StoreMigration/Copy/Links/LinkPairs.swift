internal import CoreDataStore
internal import SQLite

/// The links of one relationship on their way, in a temporary table.
///
/// A pair has the keys of both ends in the target, NULL for an object that the result has not, and
/// in the source; the entities' numbers; the places in both directions; and the values by which one
/// of several is chosen.
struct LinkPairs {
  private static let table = "temp.pipeline_pairs"
  private let connection: Connection

  /// An empty table of pairs.
  init(_ connection: Connection) throws {
    self.connection = connection
    try connection.execute(
      """
      CREATE TEMP TABLE IF NOT EXISTS pipeline_pairs (a INTEGER, b INTEGER, a_entity INTEGER,
      b_entity INTEGER, old_a INTEGER, old_b INTEGER, forward, backward, forward_choice,
      backward_choice);
      DELETE FROM \(Self.table)
      """)
  }

  /// Adds what a statement of ``LinkReading`` gives.
  func add(_ select: String) throws {
    try connection.run("INSERT INTO \(Self.table) \(select)", [])
  }

  /// Takes away the pairs that say no more than an earlier one.
  func removeRepeated() throws {
    try connection.run(
      """
      DELETE FROM \(Self.table) WHERE rowid NOT IN
      (SELECT min(rowid) FROM \(Self.table) GROUP BY a, b)
      """, [])
  }

  /// Takes away the pairs of objects whose relationship a script has set.
  func removeAssigned(_ relationship: PropertyReference?, atFarEnd: Bool) throws {
    guard let relationship else { return }
    try connection.run(
      """
      DELETE FROM \(Self.table) WHERE \(atFarEnd ? "b" : "a") IN
      (SELECT object FROM main.\(BuilderTables.assigned) WHERE relationship = ?1)
      """, [.text("\(relationship)")])
  }

  /// How many pairs meet a condition, of those whose objects are both there.
  func count(where condition: String) throws -> Int {
    let count = try connection.integer(
      """
      SELECT count(*) FROM \(Self.table) WHERE a IS NOT NULL AND b IS NOT NULL AND (\(condition))
      """)
    return Int(count ?? 0)
  }

  /// The first pair whose object at one end is there and at the other end is not, by the keys of
  /// the source, and how many there are; nil when there is none.
  func lost(atFarEnd: Bool) throws -> (near: Int64, far: Int64, count: Int)? {
    let row = try connection.rows(
      """
      SELECT old_a, old_b, count(*) OVER () FROM \(Self.table) WHERE \(Self.isLost(atFarEnd))
      ORDER BY old_a, old_b LIMIT 1
      """
    ).first
    guard let near = row?[0].integer, let far = row?[1].integer else { return nil }
    return (near, far, Int(row?[2].integer ?? 1))
  }

  /// Takes away the pairs of which an end is missing; gives back how many of them led from an
  /// object that is there to one that is not.
  func removeLost(nearIsStored: Bool, farIsStored: Bool) throws -> Int {
    let counted = [
      nearIsStored ? Self.isLost(true) : "0", farIsStored ? Self.isLost(false) : "0",
    ]
    let count = try connection.integer(
      "SELECT count(*) FROM \(Self.table) WHERE \(counted.joined(separator: " OR "))")
    try connection.run("DELETE FROM \(Self.table) WHERE a IS NULL OR b IS NULL", [])
    return Int(count ?? 0)
  }

  private static func isLost(_ atFarEnd: Bool) -> String {
    atFarEnd ? "(a IS NOT NULL AND b IS NULL)" : "(a IS NULL AND b IS NOT NULL)"
  }

  /// Keeps one pair of each object at one end; gives back how many went.
  func narrow(forward: Bool, _ keep: LinkChoice.Keep) throws -> Int {
    try connection.run(
      """
      DELETE FROM \(Self.table) WHERE rowid IN (SELECT id FROM (SELECT rowid AS id, row_number()
      OVER (PARTITION BY \(forward ? "a" : "b") ORDER BY \(Self.order(forward: forward, keep))) AS n
      FROM \(Self.table)) WHERE n > 1)
      """, [])
  }

  /// The order in which the first pair of an object at one end is the one that stays.
  static func order(forward: Bool, _ keep: LinkChoice.Keep) -> String {
    let other = forward ? "old_b" : "old_a"
    let place = forward ? "forward" : "backward"
    return switch keep {
    case .first: "\(place) ASC NULLS LAST, \(other) ASC"
    case .last: "\(place) DESC NULLS LAST, \(other) DESC"
    case .lowest(let attribute):
      (attribute == nil ? "" : "\(place)_choice ASC NULLS LAST, ") + "\(other) ASC"
    case .highest(nil): "\(other) DESC"
    case .highest: "\(place)_choice DESC NULLS LAST, \(other) ASC"
    }
  }

  /// Writes one end's keys into the other end's rows that have none yet.
  func write(_ columns: LinkColumns, ofNearEnd isNear: Bool) throws -> Int {
    let (own, other) = isNear ? ("a", "b") : ("b", "a")
    let sets = [
      "\(columns.key) = p.\(other)", columns.entity.map { "\($0) = p.\(other)_entity" },
      columns.position.map { "\($0) = p.\(isNear ? "backward" : "forward")" },
    ].compactMap(\.self).joined(separator: ", ")
    return try connection.run(
      """
      UPDATE main.\(columns.table) AS t SET \(sets) FROM \(Self.table) AS p
      WHERE t.Z_PK = p.\(own) AND t.\(columns.key) IS NULL
      """, [])
  }

  /// Writes the pairs into a table of pairs, with places as they are or new ones.
  func write(
    _ table: JoinTable, near: String, far: String, forward: String?, backward: String?,
    _ link: LinkMapping
  ) throws -> Int {
    var columns = [(near, "a"), (far, "b")]
    if let forward { columns.append((forward, Self.place(in: table, link, isForward: true))) }
    if let backward { columns.append((backward, Self.place(in: table, link, isForward: false))) }
    let order = table.first == near ? "a, b" : "b, a"
    return try connection.run(
      """
      INSERT OR IGNORE INTO main.\(table.name) (\(columns.map(\.0).joined(separator: ", ")))
      SELECT \(columns.map(\.1).joined(separator: ", ")) FROM \(Self.table) ORDER BY \(order)
      """, [])
  }

  /// The place of the object at one end, as it was or a new one.
  static func place(in table: JoinTable, _ link: LinkMapping, isForward: Bool) -> String {
    let order = isForward ? link.forward.order : link.backward.order
    guard order != .kept else { return isForward ? "forward" : "backward" }
    return LinkOrder.place(in: table, link, isForward: isForward)
  }
}
