internal import CoreDataStore
internal import SQLite

/// The groups of a pass, kept in the store that is being built until the pass ends: a stage changes
/// the very values that they were made by, and may be killed meanwhile.
struct ObjectGroups {
  private static let table = "main.pipeline_groups"

  private let builder: StoreBuilder
  private let isOfRetry: Bool
  private var connection: Connection { builder.connection }

  init(_ builder: StoreBuilder, isOfRetry: Bool) {
    (self.builder, self.isOfRetry) = (builder, isOfRetry)
  }

  /// Puts the objects of a pass into groups.
  func fill(_ pass: ObjectPass) throws -> (end: Int64, total: Int) {
    guard let grouping = pass.grouping else { return (0, 0) }
    try drop()
    try connection.execute(
      """
      CREATE TABLE \(Self.table) (place INTEGER PRIMARY KEY, entity INTEGER, object INTEGER,
      first_entity INTEGER, first_object INTEGER, number INTEGER)
      """)
    let (sql, values) = try insertion(pass, grouping)
    try connection.run(sql, values)
    let count = try connection.integer("SELECT max(place) FROM \(Self.table)") ?? 0
    return (count, Int(count))
  }

  /// Groups come in the order of their first objects' keys, and are numbered in that order: it says
  /// nothing of the values.
  private func insertion(
    _ pass: ObjectPass, _ grouping: ObjectPass.Grouping
  ) throws -> (sql: String, values: [Value]) {
    let copy = ScriptedCopy(revising: builder)
    let search = try copy.search(pass.entity, pass.condition)
    let layout = search.layout
    let columns = try grouping.names.map { "s.\(try column($0, layout))" }
    let direction = grouping.isDescending ? "DESC" : "ASC"
    let order = try grouping.order.map {
      "s.\(try column($0, layout)) \(direction) NULLS LAST, s.Z_PK"
    }
    let parts = columns.joined(separator: ", ")
    // What was in the store before a retry comes first and is passed over: it stays.
    let isPutIn = BuilderTables.isPutIn("s")
    let (taken, before) = isOfRetry ? (isPutIn, "\(isPutIn), ") : ("1", "")
    let filled = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    let sql = """
      INSERT INTO \(Self.table) (entity, object, first_entity, first_object, number)
      SELECT entity, object, first_entity, first_object, dense_rank() OVER (ORDER BY first_object)
      FROM (SELECT s.Z_ENT AS entity, s.Z_PK AS object,
        first_value(s.Z_ENT) OVER g AS first_entity, first_value(s.Z_PK) OVER g AS first_object,
        row_number() OVER g AS rank, count(*) OVER (PARTITION BY \(parts)) AS size,
        \(taken) AS taken
        FROM \(copy.table(layout)) AS s WHERE \(search.filter) AND \(filled)
        WINDOW g AS (PARTITION BY \(parts) ORDER BY \(before)\(order ?? "s.Z_PK \(direction)")))
      WHERE size >= \(grouping.least) AND taken ORDER BY first_object, rank
      """
    return (sql, search.values)
  }

  private func column(_ name: String, _ layout: EntityLayout) throws -> String {
    switch layout[name] {
    case .attribute(let column) where !builder.targetSchema.mayBeExternal(column):
      return Identifier.quoted(column.name)
    case .toOne(let storage): return Identifier.quoted(storage.key.name)
    default:
      let why =
        if case .attribute? = layout[name] {
          "Its values may be in files, which are not compared."
        } else {
          "\(layout.name) has no stored attribute and no relationship to one of that name"
            + NearestName.suggestion(for: name, among: layout.properties) + "."
        }
      throw Failure(
        .unusable, what: "cannot put objects into groups", subject: "\(layout.name).\(name)",
        why: why, remedy: "Name other properties.")
    }
  }

  /// The next objects that are still there.
  func next(_ pass: ObjectPass, _ bounds: [Value]) throws -> [PassedObject] {
    let layout = try builder.targetLayout(pass.entity)
    return try connection.rows(
      """
      SELECT g.place, g.entity, g.object, g.first_entity, g.first_object, g.number
      FROM \(Self.table) AS g JOIN main.\(Identifier.quoted(layout.table)) AS t
      ON t.Z_PK = g.object AND t.Z_ENT = g.entity
      WHERE g.place > ?1 AND g.place <= ?2 ORDER BY g.place LIMIT ?3
      """, bounds
    ).compactMap { row in
      guard let place = row[0].integer, let id = self.id(row[1], row[2]),
        let first = self.id(row[3], row[4]), let number = row[5].integer
      else { return nil }
      return PassedObject(place: place, id: id, group: .init(first: first, number: number))
    }
  }

  private func id(_ entity: Value, _ key: Value) -> ObjectID? {
    guard let number = entity.integer, let key = key.integer,
      let layout = builder.targetSchema.entity(number: Int(clamping: number))
    else { return nil }
    return ObjectID(entity: layout.name, key: key)
  }

  /// Takes the groups away.
  func drop() throws { try connection.execute("DROP TABLE IF EXISTS \(Self.table)") }
}
