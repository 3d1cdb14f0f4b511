internal import CoreDataStore

/// One end of a link: which objects of the source may stand there, and what happened to them.
struct LinkEnd {
  /// What happened to the objects of one source entity.
  struct Member: Hashable {
    /// The source entity's number.
    let source: Int
    /// The target entity's number; nil where a script says it.
    let target: Int?
    /// The number of the entity that the mapping alone gives a script's objects; nil for none.
    var preferred: Int?
    /// Whether the association of old and new objects has to be asked.
    let isReassigned: Bool
    /// Whether some of the objects may not be in the result.
    let mayBeLeftOut: Bool
  }

  /// The table of the objects in the source.
  let sourceTable: String
  /// The table of the objects in the target.
  let targetTable: String
  /// The entity of the source at this end.
  let sourceEntity: String
  /// The entity of the target at this end.
  let targetEntity: String
  /// The entities whose objects come to this end.
  let members: [Member]
  /// The numbers of source entities whose objects do not.
  let strangers: [Int]
  /// The numbers of those whose objects are in the result, at another place.
  private let moved: [Int]

  /// The end of these entities; nil where a schema has none of the name.
  init?(
    _ entities: Entities, _ mapping: Mapping, from source: StoreSchema, to target: StoreSchema
  ) {
    guard let old = source.entity(named: entities.source),
      let new = target.entity(named: entities.target)
    else { return nil }
    (sourceTable, targetTable) = (old.table, new.table)
    (sourceEntity, targetEntity) = (old.name, new.name)
    var members: [Member] = []
    var strangers: [Int] = []
    var moved: [Int] = []
    for entity in source.family(of: old) where !entity.isAbstract {
      let isScripted = mapping.fate(of: entity.name) == .scripted
      let object = mapping.objects(from: entity.name)
      if let member = Self.member(entity.number, isScripted, object, new, target) {
        members.append(member)
      } else {
        strangers.append(entity.number)
        if object != nil { moved.append(entity.number) }
      }
    }
    (self.members, self.strangers, self.moved) = (members, strangers, moved)
  }

  private static func member(
    _ number: Int, _ isScripted: Bool, _ object: ObjectMapping?, _ end: EntityLayout,
    _ target: StoreSchema
  ) -> Member? {
    if isScripted {
      let preferred = object.flatMap { target.entity(named: $0.target)?.number }
      return Member(
        source: number, target: nil, preferred: preferred, isReassigned: true, mayBeLeftOut: true)
    }
    guard let object, !object.isAbstract, let layout = target.entity(named: object.target),
      !layout.isAbstract, end.family.contains(layout.number)
    else { return nil }
    return Member(
      source: number, target: layout.number, isReassigned: object.keys == .renumbered,
      mayBeLeftOut: !object.conditions.isEmpty || object.isScripted)
  }

  /// Whether every object that is in the result has its old key, in the table of this end.
  var keepsKeys: Bool { moved.isEmpty && !members.contains(where: \.isReassigned) }

  /// Whether a script makes some of the objects.
  var isMadeByScript: Bool { members.contains { $0.target == nil } }

  /// Whether objects of the source may not be at this end of the result.
  var mayLose: Bool { !strangers.isEmpty || members.contains(where: \.mayBeLeftOut) }
}

// The numbers of entities, before and after.
extension LinkEnd {
  /// The number after one of the source, an expression; one that no entity has stays as it is.
  ///
  /// Numbers that follow one another, and do so afterwards, make one case: an entity may have a
  /// thousand that inherit from it.
  func number(after old: String) -> String {
    var cases: [(numbers: ClosedRange<Int>, step: Int)] = []
    for member in members {
      guard let target = member.target else { continue }
      let step = target - member.source
      if let last = cases.last, last.step == step, last.numbers.upperBound == member.source - 1 {
        cases[cases.count - 1].numbers = last.numbers.lowerBound...member.source
      } else {
        cases.append((member.source...member.source, step))
      }
    }
    let changes = cases.filter { $0.step != 0 }.map { numbers, step in
      numbers.count == 1
        ? "WHEN \(old) = \(numbers.lowerBound) THEN \(numbers.lowerBound + step) "
        : "WHEN \(old) BETWEEN \(numbers.lowerBound) AND \(numbers.upperBound) "
          + "THEN \(old) + \(step) "
    }
    return changes.isEmpty ? old : "CASE \(changes.joined())ELSE \(old) END"
  }

  /// The entities at one end of a link, before and after.
  struct Entities: Hashable {
    let source: String
    let target: String

    /// Those at which a relationship begins, or its inverse ends.
    init?(
      _ link: LinkMapping, _ holder: LinkTravel.Holder, _ source: StoreSchema,
      _ target: StoreSchema
    ) {
      let (near, far) = link.directions(from: holder)
      guard let old = Self.entity(near.source, far.source, in: source.model),
        let new = Self.entity(near.target, far.target, in: target.model)
      else { return nil }
      (self.source, self.target) = (old, new)
    }

    private static func entity(
      _ near: PropertyReference?, _ far: PropertyReference?, in model: Model
    ) -> String? {
      if let near { return near.entity }
      return far.flatMap { far in
        model.entity(named: far.entity)?.relationship(named: far.property)?.destination
      }
    }
  }
}
