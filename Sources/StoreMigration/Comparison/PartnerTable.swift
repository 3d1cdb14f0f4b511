internal import CoreDataStore
internal import SQLite

/// Says which object of the second store is which of the first, where Z_PK does not say it.
///
/// The pairs are in a temporary table, on disk when there are many. Families of entities whose
/// objects all pair by Z_PK are not in it.
final class PartnerTable {
  private static let table = "temp.pipeline_partners"
  private static let values = "temp.pipeline_keys"
  private let first: ComparedStore
  private let second: ComparedStore
  private let associations: String?
  /// The tables of the second store whose objects have a partner by this table alone.
  private var families: Set<String> = []

  private var connection: Connection { second.connection }

  /// Finds the partners of all entities that need it; `database` is where the second connection
  /// has the associations of a run.
  init(
    _ first: ComparedStore, _ second: ComparedStore, _ pairs: [EntityPair], database: String?
  ) throws {
    self.first = first
    self.second = second
    associations = database.map { Identifier.quoted(BuilderTables.objects, in: $0) }
    for pair in pairs where pair.key != nil { note(pair) }
    for pair in pairs where try isAssociated(pair) { note(pair) }
    guard !families.isEmpty else { return }
    try make()
    for pair in pairs where isUsed(by: pair) { try fill(pair) }
  }

  private func note(_ pair: EntityPair) {
    if let table = pair.new?.table { families.insert(table) }
  }

  /// Whether the objects of a pair find each other by this table.
  func isUsed(by pair: EntityPair) -> Bool {
    pair.new.map { families.contains($0.table) } ?? false
  }

  private func make() throws {
    try connection.execute(
      """
      CREATE TEMP TABLE pipeline_partners (a_entity INTEGER, b_entity INTEGER, a INTEGER,
      b INTEGER, PRIMARY KEY (a_entity, b_entity, a, b)) WITHOUT ROWID;
      CREATE INDEX temp.pipeline_partners_b ON pipeline_partners (b, b_entity, a_entity, a);
      CREATE TEMP TABLE pipeline_keys (value, a INTEGER);
      CREATE INDEX temp.pipeline_keys_value ON pipeline_keys (value)
      """)
  }

  /// Takes the tables away again.
  func drop() {
    guard !families.isEmpty else { return }
    try? connection.execute("DROP TABLE \(Self.table); DROP TABLE \(Self.values)")
  }

  private func numbers(_ pair: EntityPair) -> (old: Int, new: Int)? {
    guard let old = pair.old, let new = pair.new else { return nil }
    return (old.number, new.number)
  }

  private func fill(_ pair: EntityPair) throws {
    guard let (old, new) = numbers(pair), let layout = pair.new else { return }
    if let key = pair.key { return try fill(pair, by: key, old, new) }
    let table = Identifier.quoted(layout.table, in: "main")
    let own = "SELECT \(old), \(new), s.Z_PK, s.Z_PK FROM \(table) AS s WHERE \(layout.isOwn("s"))"
    guard let associations, try isAssociated(pair) else {
      return try connection.execute("INSERT INTO \(Self.table) \(own)")
    }
    try connection.execute(
      """
      INSERT OR IGNORE INTO \(Self.table) SELECT \(old), \(new), o.source, o.object
      FROM \(associations) AS o WHERE o.source_entity = \(old) AND o.entity = \(new)
      """)
    // Objects that no association names kept their keys, unless associations name all of them.
    guard try !has("source_entity = \(old)") else { return }
    try connection.execute(
      """
      INSERT OR IGNORE INTO \(Self.table) \(own) AND NOT EXISTS
      (SELECT 1 FROM \(associations) AS o WHERE o.entity = \(new) AND o.object = s.Z_PK)
      """)
  }
}

// What a run noted.
extension PartnerTable {
  private func isAssociated(_ pair: EntityPair) throws -> Bool {
    guard associations != nil, let (old, new) = numbers(pair) else { return false }
    return try has("source_entity = \(old)") || has("entity = \(new)")
  }

  private func has(_ condition: String) throws -> Bool {
    guard let associations else { return false }
    return try connection.integer("SELECT 1 FROM \(associations) WHERE \(condition) LIMIT 1") == 1
  }

  /// The object of the first store that an added one came of, when a run noted it.
  func origin(of key: Int64, _ entity: String) throws -> ObjectID? {
    guard let associations, let layout = second.schema.entity(named: entity) else { return nil }
    let row = try connection.rows(
      """
      SELECT source_entity, source FROM \(associations) WHERE entity = ?1 AND object = ?2
      ORDER BY source_entity, source LIMIT 1
      """, [.integer(Int64(layout.number)), .integer(key)]
    ).first
    guard let number = row?[0].integer, let key = row?[1].integer,
      let origin = first.schema.entity(number: Int(clamping: number))
    else { return nil }
    return ObjectID(entity: origin.name, key: key)
  }
}

// Pairing by the value of an attribute.
extension PartnerTable {
  private func fill(
    _ pair: EntityPair, by key: AttributePair, _ old: Int, _ new: Int
  ) throws {
    guard let before = pair.old, let after = pair.new, let oldColumn = key.old,
      let newColumn = key.new
    else { return }
    try connection.execute("DELETE FROM \(Self.values)")
    let insert = try connection.prepare("INSERT INTO \(Self.values) VALUES (?1, ?2)")
    try first.connection.query(
      """
      SELECT s.\(Identifier.quoted(oldColumn.name)), s.Z_PK
      FROM \(Identifier.quoted(before.table, in: "main")) AS s
      WHERE \(before.isOwn("s")) AND s.\(Identifier.quoted(oldColumn.name)) IS NOT NULL
      """
    ) { row in
      try insert.bind([try row.value(0), .integer(row.integer(1) ?? 0)])
      try insert.run()
    }
    let column = "s.\(Identifier.quoted(newColumn.name))"
    let table = "\(Identifier.quoted(after.table, in: "main")) AS s WHERE \(after.isOwn("s"))"
    try refuseRepeated("SELECT value FROM \(Self.values)", "value", first, before, key)
    try refuseRepeated(
      "SELECT \(column) AS value FROM \(table) AND \(column) IS NOT NULL", "value", second, after,
      key)
    // The types are asked too: SQLite takes 1 and 1.0 for equal.
    try connection.execute(
      """
      INSERT INTO \(Self.table) SELECT \(old), \(new), k.a, s.Z_PK
      FROM \(Identifier.quoted(after.table, in: "main")) AS s CROSS JOIN \(Self.values) AS k
      ON k.value = \(column) AND typeof(k.value) = typeof(\(column)) WHERE \(after.isOwn("s"))
      """)
  }

  private func refuseRepeated(
    _ select: String, _ column: String, _ store: ComparedStore, _ entity: EntityLayout,
    _ key: AttributePair
  ) throws {
    let sql = """
      SELECT count(*) FROM (SELECT 1 FROM (\(select)) GROUP BY \(column), typeof(\(column))
      HAVING count(*) > 1)
      """
    guard let count = try connection.integer(sql), count > 0 else { return }
    throw PairSearch.failure(
      "\(store.path), \(entity.name).\(key.name)",
      "\(count == 1 ? "One value is" : "\(count) values are") those of more than one object, so "
        + "they do not distinguish objects.",
      "Name an attribute whose values are all different, or pair by Z_PK.")
  }
}

// What the statements of a comparison need.
extension PartnerTable {
  /// The rows of the second store that have a partner, with the partner's key as their place.
  func paired(_ pair: EntityPair) -> Roster? {
    guard let (old, new) = numbers(pair), let layout = pair.new else { return nil }
    return Roster(
      from: """
        \(Self.table) AS p CROSS JOIN \(Identifier.quoted(layout.table, in: "main")) AS s
        ON s.Z_PK = p.b
        """,
      condition: "p.a_entity = \(old) AND p.b_entity = \(new) AND \(layout.isOwn("s"))",
      place: "p.a")
  }

  /// The rows of the second store that have none.
  func unpaired(_ pair: EntityPair) -> Roster? {
    guard let layout = pair.new else { return nil }
    return Roster(
      from: "\(Identifier.quoted(layout.table, in: "main")) AS s",
      condition: """
        \(layout.isOwn("s")) AND NOT EXISTS (SELECT 1 FROM \(Self.table) AS p
        WHERE p.b = s.Z_PK AND p.b_entity = \(layout.number))
        """, place: "s.Z_PK")
  }

  /// The key in the first store of an object that a link of the second leads to.
  func partner(of key: String, _ rows: LinkRows, old: LinkRows?) -> String {
    guard families.contains(rows.entityTable) else { return key }
    let before = old.map { " AND q.a_entity BETWEEN \(family(of: $0, in: first))" } ?? ""
    return """
      (SELECT q.a FROM \(Self.table) AS q WHERE q.b = \(key)
      AND q.b_entity BETWEEN \(family(of: rows, in: second))\(before) LIMIT 1)
      """
  }

  /// The first and the last number of what the links lead to.
  private func family(of rows: LinkRows, in store: ComparedStore) -> String {
    let family = store.schema.entity(named: rows.entity)?.family
    return family.map { "\($0.lowerBound) AND \($0.upperBound)" } ?? "1 AND 0"
  }
}

/// The rows of one entity, and in which order they come.
struct Roster {
  /// What stands behind FROM; the object's row is `s`.
  let from: String
  /// Which rows are meant.
  let condition: String
  /// The key in the first store by which they are ordered.
  let place: String

  /// All objects of an entity, ordered by their own keys.
  init(_ layout: EntityLayout) {
    self.init(
      from: "\(Identifier.quoted(layout.table, in: "main")) AS s",
      condition: layout.isOwn("s"), place: "s.Z_PK")
  }

  init(from: String, condition: String, place: String) {
    (self.from, self.condition, self.place) = (from, condition, place)
  }
}
