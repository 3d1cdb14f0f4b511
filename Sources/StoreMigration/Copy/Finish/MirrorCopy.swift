internal import CoreDataStore
internal import SQLite

/// Carries over the tables in which Core Data keeps what it mirrors to CloudKit.
///
/// Rows and their keys stay as they are. A record names its object by the number of the entity,
/// which may be another one in the new store, and by the object's key, which does not change.
struct MirrorCopy {
  let builder: StoreBuilder
  private var connection: Connection { builder.connection }

  /// Whether the source has such tables.
  var isNeeded: Bool {
    get throws {
      try Schema(of: connection, "source").objects.contains {
        $0.kind == .table && MirrorTables.has($0.name)
      }
    }
  }

  /// Fills the new store's tables from the source's.
  ///
  /// - Throws: ``Failure`` for a table that Core Data has not made.
  func carry() throws {
    let source = try Schema(of: connection, "source")
    let tables = source.objects.filter { $0.kind == .table && MirrorTables.has($0.name) }
    for table in tables { try copy(table) }
    // Indexes are made after the rows: while numbers are exchanged, two rows could share one.
    for index in source.objects(of: .index) where MirrorTables.has(index.table) {
      // An index without a statement is SQLite's own, and comes with its table.
      guard let sql = index.sql else { continue }
      guard Self.isPlain(sql) else { throw strange(index) }
      try connection.execute(sql)
    }
    try connection.run(
      """
      INSERT OR REPLACE INTO main.Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX)
      SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM source.Z_PRIMARYKEY WHERE Z_ENT BETWEEN ?1 AND ?2
      """,
      [
        .integer(Int64(MirrorTables.numbers.lowerBound)),
        .integer(Int64(MirrorTables.numbers.upperBound)),
      ])
    try check()
  }

  /// Checks that as many records find their objects as before.
  private func check() throws {
    guard let change = try MirrorRecords(connection, of: builder)?.firstChange() else { return }
    let (old, new) = change.pair
    throw Failure(
      .unusable, what: "cannot carry over what is mirrored to CloudKit", subject: new.name,
      why: "\(change.before) records had an object of \(old.name), and \(change.after) would have "
        + "one.",
      remedy: "Leave the mirror behind: cloudkit = \"reset\" in the stage open.")
  }

  /// Adds a warning for each table of which rows were left out.
  func report(_ summary: inout FinishSummary) throws {
    let source = try Schema(of: connection, "source")
    for table in [MirrorTables.records, MirrorTables.analyzer, MirrorTables.relationships]
    where source.table(table) != nil {
      let lost =
        try connection.integer(
          "SELECT (SELECT count(*) FROM source.\(table)) - (SELECT count(*) FROM main.\(table))")
        ?? 0
      guard lost > 0 else { continue }
      summary.warnings.append(
        StoreWarning(
          "CloudKit",
          "\(lost) \(lost == 1 ? "row" : "rows") of \(table) left out: the new version has no such "
            + "entity or relationship."))
    }
  }

  private func copy(_ table: SchemaObject) throws {
    guard Self.isPlain(table.sql), let sql = table.sql else { throw strange(table) }
    let name = Identifier.quoted(table.name)
    let columns = try connection.columns(of: table.name, in: "source").map(\.name)
    try connection.execute("DROP TABLE IF EXISTS main.\(name)")
    try connection.execute(sql)
    let values = columns.map { column in
      column == Self.entity && MirrorRecords.refersToObjects(columns)
        ? number : "s.\(Identifier.quoted(column))"
    }
    try connection.run(
      """
      INSERT INTO main.\(name) (\(columns.map { Identifier.quoted($0) }.joined(separator: ", ")))
      SELECT \(values.joined(separator: ", ")) FROM source.\(name) AS s
      WHERE \(condition(columns))
      """, [])
  }

  /// A statement as Core Data writes it: names, types, an order; nothing that is computed.
  private static func isPlain(_ sql: String?) -> Bool {
    let statement = /CREATE (?:TABLE|INDEX|UNIQUE INDEX) \w+ (?:ON \w+ )?\((.+)\)/
    let column = /\s*\w+( \w+)?( PRIMARY KEY)?( COLLATE BINARY)?( ASC| DESC)?\s*/
    guard let list = sql?.wholeMatch(of: statement)?.1 else { return false }
    return list.replacing(/, PRIMARY KEY \(\w+, \w+\)/, with: "").split(separator: ",")
      .allSatisfy { $0.wholeMatch(of: column) != nil }
  }

  private func strange(_ table: SchemaObject) -> Failure {
    Failure(
      .unusable, what: "cannot carry over what is mirrored to CloudKit", subject: table.name,
      why: "Its SQL is not what Core Data writes.",
      remedy: "Leave the mirror behind: cloudkit = \"reset\" in the stage open.")
  }
}

// Which objects the rows belong to.
extension MirrorCopy {
  private static let entity = MirrorRecords.entity

  /// The new number of a row's entity, in one expression: numbers that are changed "one number at a
  /// time" would collide.
  private var number: String {
    let cases = pairs.compactMap { old, new in
      old.number == new.number ? nil : "WHEN \(old.number) THEN \(new.number) "
    }
    return cases.isEmpty
      ? "s.\(Self.entity)"
      : "CASE s.\(Self.entity) \(cases.joined())ELSE s.\(Self.entity) END"
  }

  private var pairs: [MirrorRecords.Pair] { MirrorRecords.pairs(of: builder) }

  private func condition(_ columns: [String]) -> String {
    var conditions = ["1"]
    if MirrorRecords.refersToObjects(columns) {
      // A number that no entity of the source has may be that of a new entity.
      let numbers = pairs.map { "\($0.old.number)" }.joined(separator: ", ")
      conditions.append("(s.\(Self.entity) IS NULL OR s.\(Self.entity) IN (\(numbers)))")
    }
    return (conditions + relationships(columns)).joined(separator: " AND ")
  }

  /// The entities of the source whose objects are not carried over.
  private var ended: [EntityLayout] {
    let kept = Set(builder.mapping.objects.map(\.source))
    return builder.sourceSchema.entities.filter { !kept.contains($0.name) }
  }

  /// The conditions for rows of pairs, which name entities and relationships.
  private func relationships(_ columns: [String]) -> [String] {
    let names = ended.map { Self.quoted($0.name) }.joined(separator: ", ")
    let (near, far, link) = ("ZCDENTITYNAME", "ZRELATEDENTITYNAME", "ZRELATIONSHIPNAME")
    var conditions: [String] = []
    for column in [near, far] where columns.contains(column) && !names.isEmpty {
      conditions.append("ifnull(s.\(column), '') NOT IN (\(names))")
    }
    if columns.contains(near), columns.contains(link) {
      let pairs = endedPairs.map { "(\(Self.quoted($0.entity)), \(Self.quoted($0.property)))" }
      if !pairs.isEmpty {
        conditions.append(
          "(ifnull(s.\(near), ''), ifnull(s.\(link), '')) NOT IN (VALUES "
            + pairs.joined(separator: ", ") + ")")
      }
    }
    return conditions
  }

  /// The relationships from many to many that the new model does not have, with each entity that
  /// had them.
  private var endedPairs: [PropertyReference] {
    builder.mapping.objects.flatMap { objects -> [PropertyReference] in
      guard let old = builder.sourceSchema.entity(named: objects.source),
        let entity = builder.sourceSchema.model.entity(named: objects.source),
        let new = builder.targetSchema.entity(named: objects.target)
      else { return [] }
      return builder.sourceSchema.model.allRelationships(of: entity).map(\.name).filter { name in
        guard case .manyToMany = old[name] else { return false }
        if case .manyToMany = new[name] { return false }
        return true
      }.map { PropertyReference(objects.source, $0) }
    }
  }

  private static func quoted(_ text: String) -> String {
    "'\(text.replacing("'", with: "''"))'"
  }
}
