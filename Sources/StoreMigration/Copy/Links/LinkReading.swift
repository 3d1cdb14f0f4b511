internal import CoreDataStore
internal import SQLite

/// The statement that reads the links of one mapping into ``LinkPairs``.
struct LinkReading {
  let link: LinkMapping
  let near: LinkEnd
  let far: LinkEnd
  let source: StoreSchema
  let target: StoreSchema
  /// The numbers of source entities in whose rows the links have travelled already.
  let travelled: Set<Int>

  /// The values for the columns of ``LinkPairs``, of every link that stands in `place`.
  func sql(_ place: LinkPass.Place) -> String? {
    guard let raw = raw(place) else { return nil }
    return """
      SELECT \(key(near, "a")) AS a, \(key(far, "b")) AS b, \(entity(near, "a")) AS a_entity,
      \(entity(far, "b")) AS b_entity, r.a AS old_a, r.b AS old_b, r.forward AS forward,
      r.backward AS backward, \(choice(link.forward, far, "b")) AS forward_choice,
      \(choice(link.backward, near, "a")) AS backward_choice
      FROM (\(raw)) AS r
      LEFT JOIN \(Identifier.quoted(near.sourceTable, in: "source")) AS ea ON ea.Z_PK = r.a
      LEFT JOIN \(Identifier.quoted(far.sourceTable, in: "source")) AS eb ON eb.Z_PK = r.b
      """
  }

  /// The keys, places and entity numbers as the source has them.
  private func raw(_ place: LinkPass.Place) -> String? {
    switch place {
    case .nearColumn:
      guard let columns = LinkColumns(link.forward.source, link.backward.source, in: source) else {
        return nil
      }
      return """
        SELECT s.Z_PK AS a, s.\(columns.key) AS b, NULL AS forward,
        \(optional(columns.position)) AS backward, NULL AS ae, \(optional(columns.entity)) AS be
        FROM \(Identifier.quoted(columns.table, in: "source")) AS s WHERE \(holders(near, columns))
        """
    case .farColumn:
      guard let columns = LinkColumns(link.backward.source, link.forward.source, in: source) else {
        return nil
      }
      return """
        SELECT s.\(columns.key) AS a, s.Z_PK AS b, \(optional(columns.position)) AS forward,
        NULL AS backward, \(optional(columns.entity)) AS ae, NULL AS be
        FROM \(Identifier.quoted(columns.table, in: "source")) AS s WHERE \(holders(far, columns))
        """
    case .joinTable: return joins
    }
  }

  private var joins: String? {
    let forward = Self.join(link.forward.source, in: source)
    let backward = Self.join(link.backward.source, in: source)
    guard let table = forward?.table ?? backward?.table,
      let a = forward?.source ?? backward?.destination,
      let b = forward?.destination ?? backward?.source
    else { return nil }
    let isReflexive = link.forward.source == link.backward.source
    return """
      SELECT s.\(a) AS a, s.\(b) AS b, \(optional(forward?.position)) AS forward,
      \(optional(isReflexive ? nil : backward?.position)) AS backward, NULL AS ae, NULL AS be
      FROM \(Identifier.quoted(table, in: "source")) AS s
      """
  }

  /// The table of pairs as one relationship sees it.
  static func join(_ reference: PropertyReference?, in schema: StoreSchema) -> JoinStorage? {
    guard let reference, let layout = schema.entity(named: reference.entity),
      case .manyToMany(let storage) = layout[reference.property]
    else { return nil }
    return storage
  }

  private func optional(_ column: String?) -> String { column.map { "s.\($0)" } ?? "NULL" }

  /// The rows that have a link that has not travelled.
  private func holders(_ end: LinkEnd, _ columns: LinkColumns) -> String {
    let numbers = end.members.map(\.source).filter { !travelled.contains($0) }
    return "s.\(columns.key) IS NOT NULL AND s.Z_ENT IN (\(Self.list(numbers)))"
  }

  static func list(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ", ") }
}

// What the other side of a value is.
extension LinkReading {
  /// The key in the target; NULL for an object that the result has not.
  ///
  /// A key that led nowhere in the source stays as it is, unless objects get new keys there: then
  /// it would lead to another object.
  private func key(_ end: LinkEnd, _ side: String) -> String {
    let cases = end.members.map { "WHEN \($0.source) THEN \(key($0, end, side)) " }
    let members = cases.isEmpty ? "NULL" : "CASE e\(side).Z_ENT \(cases.joined())END"
    guard end.keepsKeys else { return members }
    return "CASE WHEN e\(side).Z_PK IS NULL THEN r.\(side) ELSE \(members) END"
  }

  private func key(_ member: LinkEnd.Member, _ end: LinkEnd, _ side: String) -> String {
    if member.isReassigned { return association("object", member, end, side) }
    guard member.mayBeLeftOut else { return "r.\(side)" }
    return "(SELECT t.Z_PK FROM main.\(end.targetTable) AS t WHERE t.Z_PK = r.\(side))"
  }

  /// The object of this end that came of one of the source.
  ///
  /// Where a script made several, the first of the entity that the mapping gives these objects has
  /// the links, or else the first of all that the relationship can lead to.
  private func association(
    _ column: String, _ member: LinkEnd.Member, _ end: LinkEnd, _ side: String
  ) -> String {
    let family = target.entity(named: end.targetEntity)?.family ?? 0...0
    let first = member.preferred.map { "o.entity <> \($0), " } ?? ""
    return """
      (SELECT o.\(column) FROM \(BuilderTables.objects) AS o
      WHERE o.source_entity = \(member.source) AND o.source = r.\(side)
      AND o.entity BETWEEN \(family.lowerBound) AND \(family.upperBound)
      ORDER BY \(first)o.place, o.object LIMIT 1)
      """
  }

  /// Whether the key of a source's object, an expression, stands for several of the target; nil
  /// where that cannot be.
  func isSeveral(_ end: LinkEnd, _ key: String) -> String? {
    let scripted = end.members.filter { $0.target == nil }.map(\.source)
    guard !scripted.isEmpty, let family = target.entity(named: end.targetEntity)?.family else {
      return nil
    }
    return """
      (SELECT count(*) FROM \(BuilderTables.objects) AS o
      WHERE o.source_entity IN (\(Self.list(scripted))) AND o.source = \(key)
      AND o.entity BETWEEN \(family.lowerBound) AND \(family.upperBound)) > 1
      """
  }

  /// The number of the object's entity in the target.
  private func entity(_ end: LinkEnd, _ side: String) -> String {
    let cases = end.members.map { member in
      let number = member.target.map(String.init) ?? association("entity", member, end, side)
      return "WHEN \(member.source) THEN \(number) "
    }
    guard !cases.isEmpty else { return "NULL" }
    return "CASE ifnull(e\(side).Z_ENT, r.\(side)e) \(cases.joined())ELSE r.\(side)e END"
  }

  /// The value by which one of several links is chosen.
  private func choice(_ direction: LinkMapping.Direction, _ end: LinkEnd, _ side: String) -> String
  {
    guard direction.narrows, let name = direction.keep?.attribute,
      case .attribute(let column) = source.entity(named: end.sourceEntity)?[name]
    else { return "NULL" }
    return "e\(side).\(column.name)"
  }
}

extension LinkChoice.Keep {
  /// The attribute by which it chooses, when it does.
  var attribute: String? {
    switch self {
    case .first, .last: nil
    case .lowest(let attribute), .highest(let attribute): attribute
    }
  }
}
