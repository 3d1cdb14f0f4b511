internal import CoreDataStore
internal import SQLite

/// Counts what happened to the links of the relationships that one entity declares.
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
    let isInverse = !loss.isCountedHere
    loss.take(
      try isInverse
        ? inverse(of: relationship, end.target) ?? counts(reference, old, end.target)
        : counts(reference, old, end.target))
    return loss
  }

  /// The counts of a relationship, which are made once.
  private func counts(
    _ reference: PropertyReference, _ old: LinkRows, _ target: PropertyReference?
  ) throws -> LinkCounts {
    if let known = work.links[reference] { return known }
    let search = try target.flatMap { try self.search($0, old) }
    let counts = try kept(old, search) ?? plain(old, search) ?? counted(old, search)
    work.links[reference] = counts
    return counts
  }

  /// The counts of the inverse, which has the same links, where it ends at the inverse of the end.
  private func inverse(
    of relationship: Relationship, _ target: PropertyReference?
  ) throws -> LinkCounts? {
    guard let (found, owner) = work.source.schema.model.inverse(of: relationship),
      let layout = work.source.schema.entity(named: owner.name),
      let rows = LinkPairing.rows(found, owner, work.source.schema)
    else { return nil }
    let reference = PropertyReference(owner.name, found.name)
    let end = EntityCourse.end(of: reference, through: work.steps).target
    let model = work.target.schema.model
    guard end == target.flatMap({ model.inverse(named: $0) }) else { return nil }
    return try LinkLosses(work, layout).counts(reference, rows, end)
  }

  private func counted(_ old: LinkRows, _ search: Search?) throws -> LinkCounts {
    let isWhole = "ea.Z_PK IS NOT NULL AND eb.Z_PK IS NOT NULL"
    let ends = """
      FROM (\(Self.links(old, of: entity))) AS l
      LEFT JOIN \(Identifier.quoted(entity.table, in: "source")) AS ea ON ea.Z_PK = l.a
      LEFT JOIN \(Identifier.quoted(old.entityTable, in: "source")) AS eb ON eb.Z_PK = l.b
      """
    let isThere = search.map { "count(CASE WHEN \(isWhole) AND \($0.isThere) THEN 1 END)" } ?? "0"
    let numbers = try numbers(
      "SELECT count(*), count(CASE WHEN \(isWhole) THEN 1 END), \(isThere) \(ends)")
    var counts = LinkCounts(
      values: numbers[1], arrived: numbers[2], dangling: numbers[0] - numbers[1])
    guard let search, counts.arrived < counts.values else { return counts }
    counts.gone = try self.numbers(
      "SELECT count(*) \(ends) WHERE \(isWhole) AND NOT (\(search.areBoth))")[0]
    counts.emptied = counts.values - counts.arrived - counts.gone
    return counts
  }

  /// The counts where a column of keys is there as it was, and each key is an object's.
  private func kept(_ old: LinkRows, _ search: Search?) -> LinkCounts? {
    guard let search, search.keepsKeys, old.isColumn, search.rows.isColumn,
      let far = work.source.schema.entity(named: old.entity),
      work.facts?.show(.keys(KeyColumn(old.table, old.destination, of: far, mayBeNull: true)))
        == true,
      work.keptColumns.areSame(
        old.destination, of: old.table, search.rows.destination, of: search.rows.table),
      let count = work.keptColumns.values(in: old.destination, of: old.table, entity.family)
    else { return nil }
    return LinkCounts(values: count, arrived: count)
  }

  /// The counts where a table of pairs is there as it was, and leads nowhere but to objects: seen
  /// by reading everything in its order, which the lookups of each pair would not.
  private func plain(_ old: LinkRows, _ search: Search?) throws -> LinkCounts? {
    guard let search, search.keepsKeys, old.isJoin, search.rows.isJoin,
      try !leadsNowhere(old, old.owner, entity.table),
      try !leadsNowhere(old, old.destination, old.entityTable)
    else { return nil }
    let same = [(old.owner, search.rows.owner), (old.destination, search.rows.destination)].map {
      "t.\(Identifier.quoted($1)) = s.\(Identifier.quoted($0))"
    }
    let new = search.rows
    let isUntouched =
      (old.table, old.owner, old.destination) == (new.table, new.owner, new.destination)
      && work.sameTables.contains(old.table)
    guard try isUntouched || SamePairs(work.connection, old.table, new.table).areSame(same) else {
      return nil
    }
    let count = try numbers(
      "SELECT count(*) FROM \(Identifier.quoted(old.table, in: "source"))")[0]
    return LinkCounts(values: count, arrived: count)
  }

  /// Whether some key in a column of pairs is no object's; an index gives the keys in their order.
  private func leadsNowhere(_ rows: LinkRows, _ column: String, _ table: String) throws -> Bool {
    let schema = work.source.schema
    let ends = schema.joinTable(named: rows.table).map { KeyColumn.ends(of: $0, schema) } ?? []
    let end = ends.first { $0.column == column && $0.target == table }
    if let end, work.facts?.show(.keys(end)) == true { return false }
    let (key, pairs) = (Identifier.quoted(column), Identifier.quoted(rows.table, in: "source"))
    return try work.connection.integer(
      """
      SELECT 1 FROM (SELECT DISTINCT \(key) AS k FROM \(pairs)) WHERE NOT EXISTS
      (SELECT 1 FROM \(Identifier.quoted(table, in: "source")) WHERE Z_PK = k) LIMIT 1
      """) != nil
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

  /// Where a link `l` is looked for in the new store.
  private struct Search {
    /// Where that has the links of the relationship.
    let rows: LinkRows
    let isThere: String
    /// Whether both of its objects are.
    let areBoth: String
    /// Whether all objects at both ends have the keys that they had.
    let keepsKeys: Bool
  }

  private func search(_ reference: PropertyReference, _ old: LinkRows) throws -> Search? {
    guard let new = rows(reference),
      let owner = work.target.schema.entity(named: reference.entity)?.table
    else { return nil }
    let far = work.source.schema.entity(named: old.entity) ?? entity
    let first = try LinkObject(work, entity, side: "a")
    let second = try LinkObject(work, far, side: "b")
    func exists(_ table: String, _ condition: String) -> String {
      "EXISTS (SELECT 1 FROM main.\(Identifier.quoted(table)) AS t WHERE \(condition))"
    }
    return Search(
      rows: new,
      isThere: exists(
        new.table,
        first.isOneOf("t.\(Identifier.quoted(new.owner))") + " AND "
          + second.isOneOf("t.\(Identifier.quoted(new.destination))")),
      areBoth: exists(owner, first.isOneOf("t.Z_PK")) + " AND "
        + exists(new.entityTable, second.isOneOf("t.Z_PK")),
      keepsKeys: first.keepsKeys && second.keepsKeys)
  }
}

extension LinkRows {
  /// Whether the links are pairs in a table of their own.
  fileprivate var isJoin: Bool { owner != "Z_PK" && destination != "Z_PK" }
}

extension Model {
  /// The inverse of a relationship, by name.
  fileprivate func inverse(named reference: PropertyReference) -> PropertyReference? {
    relationship(reference.property, ofEntity: reference.entity).flatMap { inverse(of: $0) }
      .map { PropertyReference($0.declaredBy.name, $0.relationship.name) }
  }
}

/// Says which objects of the new store came of the one at an end of a link.
struct LinkObject {
  private let side: String
  /// The numbers of entities whose objects keep their keys, and of those that a run has noted.
  private var kept: [Int] = []
  private var noted: [Int] = []
  private var merged: [Int] = []
  /// Whether all objects at this end have the keys that they had.
  let keepsKeys: Bool

  /// `entity` is the one that the relationship declares at this end; `side` is "a" or "b".
  init(_ work: LossCount, _ entity: EntityLayout, side: String) throws {
    self.side = side
    let schema = work.source.schema
    let family = schema.family(of: entity).filter { !$0.isAbstract }
    for member in family {
      if try !work.noted(member).isEmpty {
        noted.append(member.number)
      } else if work.course(of: member).target != nil {
        kept.append(member.number)
      }
      if try work.areMerged(member) { merged.append(member.number) }
    }
    keepsKeys = kept.count == family.count && merged.isEmpty
  }

  /// Whether a key of the new store is that of such an object, as SQL over the columns `l.a`,
  /// `l.b` of a link and the numbers `ea.Z_ENT`, `eb.Z_ENT` of its ends.
  func isOneOf(_ key: String) -> String {
    let own = "l.\(side)"
    let number = "e\(side).Z_ENT"
    if keepsKeys { return "\(key) = \(own)" }
    let same = "CASE WHEN \(number) IN (\(LinkReading.list(kept))) THEN \(own) END"
    guard !noted.isEmpty || !merged.isEmpty else { return "\(key) = \(same)" }
    // Where a stage has put another object in its place, what led to it leads to that one.
    let others = [(LossCount.associations, noted), (LossCount.merged, merged)]
      .filter { !$0.1.isEmpty }.map { table, numbers in
        """
         UNION ALL SELECT o.object FROM \(table) AS o WHERE o.source_entity = \(number)
        AND o.source_entity IN (\(LinkReading.list(numbers))) AND o.source = \(own)
        """
      }
    return "\(key) IN (SELECT \(same)\(others.joined()))"
  }
}
