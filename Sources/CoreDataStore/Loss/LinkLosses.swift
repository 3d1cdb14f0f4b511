internal import SQLite

/// Counts what became of the links of the relationships that one entity declares.
struct LinkLosses {
  private let work: LossCount
  private let entity: EntityLayout

  init(_ work: LossCount, _ entity: EntityLayout) {
    (self.work, self.entity) = (work, entity)
  }

  /// The counts, by the relationships' names.
  func count() throws -> [PropertyLoss] {
    guard let declared = work.source.schema.model.entity(named: entity.name) else { return [] }
    return try declared.relationships.filter { !$0.isTransient }
      .sorted { NameOrder.precedes($0.name, $1.name) }
      .compactMap { try count($0, declared) }
  }

  private func count(_ relationship: Relationship, _ declared: Entity) throws -> PropertyLoss? {
    let schema = work.source.schema
    guard let old = LinkPairing.rows(relationship, declared, schema) else { return nil }
    let reference = PropertyReference(entity.name, relationship.name)
    let end = EntityCourse.end(of: reference, through: work.steps)
    var loss = PropertyLoss(
      entity: entity.name, property: relationship.name, isRelationship: true,
      fate: Self.fate(reference, end))
    loss.places = end.target.map { [$0] } ?? []
    loss.isCountedHere = LinkPairing.tells(relationship, declared, schema)
    let links = Self.links(old, of: entity)
    let isWhole = "ea.Z_PK IS NOT NULL AND eb.Z_PK IS NOT NULL"
    let ends = """
      FROM (\(links)) AS l
      LEFT JOIN \(Identifier.quoted(entity.table, in: "source")) AS ea ON ea.Z_PK = l.a
      LEFT JOIN \(Identifier.quoted(old.entityTable, in: "source")) AS eb ON eb.Z_PK = l.b
      """
    let sought = try end.target.flatMap { try search($0, old) }
    let isThere = sought.map { "count(CASE WHEN \(isWhole) AND \($0.isThere) THEN 1 END)" } ?? "0"
    let counts = try numbers(
      "SELECT count(*), count(CASE WHEN \(isWhole) THEN 1 END), \(isThere) \(ends)")
    (loss.dangling, loss.values, loss.arrived) = (counts[0] - counts[1], counts[1], counts[2])
    guard let sought, loss.arrived < loss.values else { return loss }
    loss.gone = try numbers(
      "SELECT count(*) \(ends) WHERE \(isWhole) AND NOT (\(sought.areBoth))")[0]
    loss.emptied = loss.values - loss.arrived - loss.gone
    return loss
  }

  private func numbers(_ sql: String) throws -> [Int] {
    try work.connection.rows(sql).first.map { $0.map { Int($0.integer ?? 0) } } ?? [0, 0, 0]
  }

  /// The links of a relationship in the source, a row each, with the keys `a` and `b`.
  private static func links(_ rows: LinkRows, of entity: EntityLayout) -> String {
    let (owner, destination) = (
      "r.\(Identifier.quoted(rows.owner))", "r.\(Identifier.quoted(rows.destination))"
    )
    // A row that holds the link itself may be of another entity of the table.
    let family =
      rows.owner == "Z_PK" ? "AND r.Z_ENT IN (\(LinkReading.list(Array(entity.family))))" : ""
    return """
      SELECT \(owner) AS a, \(destination) AS b
      FROM \(Identifier.quoted(rows.table, in: "source")) AS r
      WHERE \(owner) IS NOT NULL AND \(destination) IS NOT NULL \(family)
      """
  }

  private static func fate(
    _ reference: PropertyReference, _ end: (target: PropertyReference?, fate: MappingFate?)
  ) -> PropertyLoss.Fate {
    if let target = end.target { return target == reference ? .kept : .moved }
    return end.fate == .scripted ? .scripted : .dropped
  }

  /// Where the new store has the links of a relationship.
  private func rows(_ reference: PropertyReference) -> LinkRows? {
    let schema = work.target.schema
    guard let entity = schema.model.entity(named: reference.entity),
      let relationship = schema.model.relationship(reference.property, ofEntity: reference.entity)
    else { return nil }
    return LinkPairing.rows(relationship, entity, schema)
  }

  /// Where a link `l` is looked for in the new store, and whether both of its objects are there.
  private func search(
    _ reference: PropertyReference, _ old: LinkRows
  ) throws -> (isThere: String, areBoth: String)? {
    guard let new = rows(reference),
      let owner = work.target.schema.entity(named: reference.entity)?.table
    else { return nil }
    let far = work.source.schema.entity(named: old.entity) ?? entity
    let first = try LinkObject(work, entity, side: "a")
    let second = try LinkObject(work, far, side: "b")
    func exists(_ table: String, _ condition: String) -> String {
      "EXISTS (SELECT 1 FROM main.\(Identifier.quoted(table)) AS t WHERE \(condition))"
    }
    let isThere = exists(
      new.table,
      first.isOneOf("t.\(Identifier.quoted(new.owner))") + " AND "
        + second.isOneOf("t.\(Identifier.quoted(new.destination))"))
    let areBoth =
      exists(owner, first.isOneOf("t.Z_PK")) + " AND "
      + exists(new.entityTable, second.isOneOf("t.Z_PK"))
    return (isThere, areBoth)
  }
}
