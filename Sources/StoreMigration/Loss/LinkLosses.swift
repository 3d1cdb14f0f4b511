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
    let isCountedHere = LinkPairing.tells(relationship, declared, schema)
    let counts =
      try isCountedHere
      ? self.counts(reference, old, end.target)
      : inverse(of: relationship, end.target) ?? self.counts(reference, old, end.target)
    var loss = PropertyLoss(
      entity: entity.name, property: relationship.name, isRelationship: true,
      fate: Self.fate(reference, end, isFound: !counts.places.isEmpty))
    loss.places = counts.places + [end.target].compactMap(\.self)
    loss.isCountedHere = isCountedHere
    loss.take(counts)
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
    var counts = try LinkLosses(work, layout).counts(reference, rows, end)
    counts.places = counts.places.compactMap(model.inverse(named:))
    return counts
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
    if counts.arrived < counts.values { try look(for: isWhole, ends, old, search, &counts) }
    return counts
  }

  /// Looks for the links that are not where the mapping puts them where scripts have put links, and
  /// counts those of which an object is gone.
  private func look(
    for isWhole: String, _ ends: String, _ old: LinkRows, _ search: Search?,
    _ counts: inout LinkCounts
  ) throws {
    let made = try work.madeRelationships().compactMap { try self.search($0, old, isMade: true) }
    let places = [search].compactMap(\.self) + made
    guard let first = places.first else { return }
    let isThere = "(\(places.map(\.isThere).joined(separator: " OR ")))"
    let elsewhere = search.map { "NOT (\($0.isThere)) AND " } ?? ""
    let conditions =
      [isThere, "NOT \(isThere) AND NOT (\(first.areBoth))"]
      + made.map { elsewhere + $0.isThere }
    let columns = conditions.map { "count(CASE WHEN \(isWhole) AND \($0) THEN 1 END)" }
    let found = try numbers("SELECT \(columns.joined(separator: ", ")) \(ends)")
    counts.places = zip(made, found.dropFirst(2)).filter { $0.1 > 0 }.map { $0.0.reference }
    guard search != nil || !counts.places.isEmpty else { return }
    (counts.arrived, counts.gone) = (found[0], found[1])
    counts.emptied = counts.values - counts.arrived - counts.gone
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
    _ reference: PropertyReference, _ end: (target: PropertyReference?, fate: MappingFate?),
    isFound: Bool
  ) -> PropertyLoss.Fate {
    if let target = end.target { return target == reference ? .kept : .moved }
    return end.fate == .scripted ? .scripted : isFound ? .moved : .dropped
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
    let reference: PropertyReference
    /// Where that has the links of the relationship.
    let rows: LinkRows
    let isThere: String
    /// Whether both of its objects are.
    let areBoth: String
    /// Whether all objects at both ends have the keys that they had.
    let keepsKeys: Bool
  }

  /// Where the new store has the links of a relationship; of one that scripts fill, only those of
  /// the objects that can have it.
  private func search(
    _ reference: PropertyReference, _ old: LinkRows, isMade: Bool = false
  ) throws -> Search? {
    let schema = work.target.schema
    guard let new = rows(reference), let owner = schema.entity(named: reference.entity),
      let other = schema.entity(named: new.entity)
    else { return nil }
    let far = work.source.schema.entity(named: old.entity) ?? entity
    let first = try LinkObject(work, entity, side: "a")
    let second = try LinkObject(work, far, side: "b")
    let near = isMade ? owner.family : nil
    let end = isMade ? other.family : nil
    guard first.mayBe(near), second.mayBe(end) else { return nil }
    func exists(_ table: String, _ condition: String) -> String {
      "EXISTS (SELECT 1 FROM main.\(Identifier.quoted(table)) AS t WHERE \(condition))"
    }
    return Search(
      reference: reference, rows: new,
      isThere: exists(
        new.table,
        first.isOneOf("t.\(Identifier.quoted(new.owner))", of: near) + " AND "
          + second.isOneOf("t.\(Identifier.quoted(new.destination))", of: end)),
      areBoth: exists(owner.table, first.isOneOf("t.Z_PK", of: near)) + " AND "
        + exists(new.entityTable, second.isOneOf("t.Z_PK", of: end)),
      keepsKeys: first.keepsKeys && second.keepsKeys)
  }
}

extension LinkRows {
  /// Whether the links are pairs in a table of their own.
  fileprivate var isJoin: Bool { owner != "Z_PK" && destination != "Z_PK" }
}

extension Model {
  /// The inverse of a relationship, by name.
  func inverse(named reference: PropertyReference) -> PropertyReference? {
    relationship(reference.property, ofEntity: reference.entity).flatMap { inverse(of: $0) }
      .map { PropertyReference($0.declaredBy.name, $0.relationship.name) }
  }
}
