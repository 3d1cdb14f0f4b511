internal import CoreDataStore
internal import SQLite

/// Checks what is no object's own: numbers of entities, the highest keys, tables of pairs.
struct StructureValidation {
  private let connection: Connection
  private let schema: StoreSchema
  private let source: StoreSchema?
  private let sources: SourceChecks?
  private let facts: RowFacts

  init(
    _ connection: Connection, _ schema: StoreSchema, source: StoreSchema?,
    _ sources: SourceChecks?, _ facts: RowFacts
  ) {
    self.facts = facts
    self.connection = connection
    self.schema = schema
    self.source = source
    self.sources = sources
  }

  /// Adds everything that is wrong.
  func run(_ failures: inout FailureList) throws {
    for table in schema.tables { try checkFamily(table, &failures) }
    for entity in schema.entities { try checkPrimaryKey(entity, &failures) }
    for table in schema.joinTables { try checkPairs(table, &failures) }
  }
}

// Numbers of entities.
extension StructureValidation {
  private func checkFamily(_ table: EntityTable, _ failures: inout FailureList) throws {
    if facts.show(.numbered(table.name, Self.numbers(table, schema))) { return }
    let sql = "SELECT s.Z_PK FROM \(Identifier.quoted(table.name, in: "main")) AS s WHERE "
    let statement = try connection.prepare(sql + Self.isStrange("s", table, schema))
    let isOld = try old(table)
    while try statement.step() {
      let key = statement.row.integer(0) ?? 0
      try isOld?.bind([.integer(key)])
      defer { isOld?.reset() }
      failures.add(
        entity: table.root, key: key, property: "Z_ENT", rule: .family,
        inSource: try isOld?.step() ?? false)
    }
  }

  /// Objects of an abstract entity cannot exist.
  private static func isStrange(
    _ alias: String, _ table: EntityTable, _ schema: StoreSchema
  ) -> String {
    let numbers = numbers(table, schema).map { String($0) }
    return "ifnull(\(alias).Z_ENT NOT IN (\(numbers.joined(separator: ", "))), 1)"
  }

  private static func numbers(_ table: EntityTable, _ schema: StoreSchema) -> [Int] {
    table.entities.compactMap(schema.entity(named:)).filter { !$0.isAbstract }.map(\.number)
  }

  private func old(_ table: EntityTable) throws -> Statement? {
    guard let source, let place = source.table(named: table.name) else { return nil }
    return try connection.prepare(
      """
      SELECT 1 FROM \(Identifier.quoted(place.name, in: "source")) AS t
      WHERE t.Z_PK = ?1 AND \(Self.isStrange("t", place, source))
      """)
  }

  private func checkPrimaryKey(_ entity: EntityLayout, _ failures: inout FailureList) throws {
    let isRoot = entity.parentNumber == 0
    let table = Identifier.quoted(entity.table, in: "main")
    let least = isRoot ? "(SELECT ifnull(max(Z_PK), 0) FROM \(table))" : "0"
    let values: [Value] = [
      .integer(Int64(entity.number)), .text(entity.name), .integer(Int64(entity.parentNumber)),
    ]
    let isRight = try connection.integer(
      """
      SELECT count(*) FROM main.Z_PRIMARYKEY
      WHERE Z_ENT = ?1 AND Z_NAME = ?2 AND ifnull(Z_SUPER, 0) = ?3 AND ifnull(Z_MAX, 0) >= \(least)
      """, values)
    guard isRight != 1 else { return }
    failures.add(
      entity: entity.name, key: 0, property: isRoot ? "Z_MAX" : "Z_ENT", rule: .primaryKey,
      inSource: source == nil ? false : try isPrimaryKeyOld(entity))
  }

  private func isPrimaryKeyOld(_ entity: EntityLayout) throws -> Bool {
    try connection.integer(
      """
      SELECT count(*) FROM main.Z_PRIMARYKEY AS s JOIN source.Z_PRIMARYKEY AS t
      ON t.Z_ENT = s.Z_ENT AND t.Z_NAME IS s.Z_NAME AND t.Z_SUPER IS s.Z_SUPER
        AND t.Z_MAX IS s.Z_MAX
      WHERE s.Z_ENT = ?1
      """, [.integer(Int64(entity.number))]) == 1
  }
}

// Tables of pairs.
extension StructureValidation {
  private func checkPairs(_ table: JoinTable, _ failures: inout FailureList) throws {
    guard let dangles = Self.dangles("s", table, schema, "main"), try !isWhole(table) else {
      return
    }
    let first = "s.\(Identifier.quoted(table.first))"
    let second = "s.\(Identifier.quoted(table.second))"
    // In the order of the primary key the objects of one end are met one after the other; SQLite
    // itself would read the other index and look for each of them all over their table.
    let statement = try connection.prepare(
      """
      SELECT \(first), \(isOld(table, first, second))
      FROM \(Identifier.quoted(table.name, in: "main")) AS s WHERE \(dangles)
      ORDER BY \(first), \(second)
      """)
    while try statement.step() {
      failures.add(
        entity: table.master.entity, key: statement.row.integer(0) ?? 0,
        property: table.master.property, rule: .present,
        inSource: statement.row.integer(1) == 1)
    }
  }

  /// Whether both objects of every pair are there: each object is looked for once, in the order in
  /// which an index has them, and its pairs are counted.
  private func isWhole(_ table: JoinTable) throws -> Bool {
    let keys = KeyColumn.ends(of: table, schema)
    if keys.count == 2, keys.allSatisfy({ facts.show(.keys($0)) }) { return true }
    let name = Identifier.quoted(table.name, in: "main")
    let count = try connection.integer("SELECT count(*) FROM \(name)")
    for (column, entity) in Self.ends(of: table) {
      guard let place = schema.entity(named: entity) else { return false }
      let found = try connection.integer(
        """
        SELECT ifnull(sum(n), 0) FROM
        (SELECT \(Identifier.quoted(column)) AS k, count(*) AS n FROM \(name) GROUP BY 1) AS s
        WHERE \(Self.isThere("s.k", place, "main"))
        """)
      guard found == count else { return false }
    }
    return true
  }

  private static func ends(of table: JoinTable) -> [(column: String, entity: String)] {
    [(table.first, table.master.entity), (table.second, table.inverse.entity)]
  }

  /// Whether an object is there: SQL over its key.
  private static func isThere(_ key: String, _ place: EntityLayout, _ database: String) -> String {
    """
    EXISTS (SELECT 1 FROM \(Identifier.quoted(place.table, in: database)) AS d \
    WHERE d.Z_PK = \(key) \
    AND d.Z_ENT BETWEEN \(place.family.lowerBound) AND \(place.family.upperBound))
    """
  }

  /// Whether one of a pair's objects is not there: SQL over a row.
  private static func dangles(
    _ alias: String, _ table: JoinTable, _ schema: StoreSchema, _ database: String
  ) -> String? {
    let texts = ends(of: table).compactMap { column, entity -> String? in
      guard let place = schema.entity(named: entity) else { return nil }
      return "NOT \(isThere("\(alias).\(Identifier.quoted(column))", place, database))"
    }
    return texts.count == 2 ? "(\(texts[0]) OR \(texts[1]))" : nil
  }

  private func isOld(_ table: JoinTable, _ first: String, _ second: String) -> String {
    guard let source, let sources else { return "0" }
    let texts = sources.joins(of: table.master).compactMap { reference, place -> String? in
      guard let storage = place.storage(of: reference),
        let dangles = Self.dangles("t", place, source, "source")
      else { return nil }
      return """
        EXISTS (SELECT 1 FROM \(Identifier.quoted(place.name, in: "source")) AS t \
        WHERE t.\(Identifier.quoted(storage.source)) IS \(first) \
        AND t.\(Identifier.quoted(storage.destination)) IS \(second) AND \(dangles))
        """
    }
    return texts.isEmpty ? "0" : texts.joined(separator: " OR ")
  }
}
