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

  /// The end at which `near` begins and `far` ends; one of the two is there on each side.
  init?(
    source near: PropertyReference?, _ far: PropertyReference?,
    target newNear: PropertyReference?, _ newFar: PropertyReference?,
    mapping: Mapping, from source: StoreSchema, to target: StoreSchema
  ) {
    guard let old = Self.entity(near, far, in: source.model),
      let new = Self.entity(newNear, newFar, in: target.model),
      let oldLayout = source.entity(named: old.name), let newLayout = target.entity(named: new.name)
    else { return nil }
    (sourceTable, targetTable) = (oldLayout.table, newLayout.table)
    (sourceEntity, targetEntity) = (old.name, new.name)
    var members: [Member] = []
    var strangers: [Int] = []
    var moved: [Int] = []
    for entity in source.model.descendants(of: old) where !entity.isAbstract {
      guard let number = source.entity(named: entity.name)?.number else { continue }
      let isScripted = mapping.fate(of: entity.name) == .scripted
      let object = mapping.objects(from: entity.name)
      if let member = Self.member(number, isScripted, object, newLayout, target) {
        members.append(member)
      } else {
        strangers.append(number)
        if object != nil { moved.append(number) }
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

  /// The entity whose objects a relationship begins at, or its inverse ends at.
  private static func entity(
    _ near: PropertyReference?, _ far: PropertyReference?, in model: Model
  ) -> Entity? {
    if let near { return model.entity(named: near.entity) }
    return far.flatMap { far in
      model.entity(named: far.entity)?.relationship(named: far.property)
    }.flatMap { model.entity(named: $0.destination) }
  }

  /// Whether every object that is in the result has its old key, in the table of this end.
  var keepsKeys: Bool { moved.isEmpty && !members.contains(where: \.isReassigned) }

  /// Whether a script makes some of the objects.
  var isMadeByScript: Bool { members.contains { $0.target == nil } }

  /// Whether objects of the source may not be at this end of the result.
  var mayLose: Bool { !strangers.isEmpty || members.contains(where: \.mayBeLeftOut) }
}
