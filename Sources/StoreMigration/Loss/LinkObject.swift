internal import CoreDataStore

/// Says which objects of the new store came of the one at an end of a link.
struct LinkObject {
  private let side: String
  /// The numbers of entities whose objects keep their keys, and of those that a run has noted.
  private var kept: [Int] = []
  private var noted: [Int] = []
  private var merged: [Int] = []
  /// The number of the entity that those of ``kept`` became.
  private var became: [Int: Int] = [:]
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
      } else if let target = work.course(of: member).target {
        kept.append(member.number)
        became[member.number] = work.target.schema.entity(named: target)?.number
      }
      if try work.areMerged(member) { merged.append(member.number) }
    }
    keepsKeys = kept.count == family.count && merged.isEmpty
  }

  /// Whether any of the objects may be of a family of the new store's entities; nil for all.
  func mayBe(_ family: ClosedRange<Int>?) -> Bool {
    !noted.isEmpty || !merged.isEmpty || !members(of: family).isEmpty || family == nil
  }

  private func members(of family: ClosedRange<Int>?) -> [Int] {
    guard let family else { return kept }
    return kept.filter { became[$0].map(family.contains) == true }
  }

  /// Whether a key of the new store is that of such an object, as SQL over the columns `l.a`,
  /// `l.b` of a link and the numbers `ea.Z_ENT`, `eb.Z_ENT` of its ends.
  ///
  /// With a family of the new store's entities only its objects count: those that came of one
  /// object may be in several tables.
  func isOneOf(_ key: String, of family: ClosedRange<Int>? = nil) -> String {
    let own = "l.\(side)"
    let number = "e\(side).Z_ENT"
    let kept = members(of: family)
    if keepsKeys, kept.count == self.kept.count { return "\(key) = \(own)" }
    let same = "CASE WHEN \(number) IN (\(LinkReading.list(kept))) THEN \(own) END"
    guard !noted.isEmpty || !merged.isEmpty else { return "\(key) = \(same)" }
    let isOfFamily = family.map { " AND o.entity BETWEEN \($0.lowerBound) AND \($0.upperBound)" }
    // Where a stage has put another object in its place, what led to it leads to that one.
    let others = [(LossCount.associations, noted), (LossCount.merged, merged)]
      .filter { !$0.1.isEmpty }.map { table, numbers in
        """
         UNION ALL SELECT o.object FROM \(table) AS o WHERE o.source_entity = \(number)
        AND o.source_entity IN (\(LinkReading.list(numbers))) AND o.source = \(own)
        """ + (isOfFamily ?? "")
      }
    return "\(key) IN (SELECT \(same)\(others.joined()))"
  }
}
