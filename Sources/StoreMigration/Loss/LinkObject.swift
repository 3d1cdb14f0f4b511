internal import CoreDataStore

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
    let family = schema.entities.filter { entity.family.contains($0.number) && !$0.isAbstract }
    for member in family {
      if try !work.noted(member).isEmpty {
        noted.append(member.number)
      } else if EntityCourse(of: member.name, through: work.steps).target != nil {
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
