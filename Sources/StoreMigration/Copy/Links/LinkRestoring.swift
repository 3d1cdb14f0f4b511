package import CoreDataStore
internal import SQLite

/// The links of objects that a retry puts into a store: those that a run would make, where both
/// ends are there and no other process has linked something else in their place since.
///
/// What a script has assigned stays as it is.
package struct LinkRestoring {
  private let copy: ScriptedCopy
  private let sources: [ObjectID]
  private let retried: Set<ObjectID>
  /// The links that could not be made: another process has linked something else, or deleted what
  /// they lead to.
  package private(set) var left: [String] = []
  /// How many links were given up of relationships that lead to one object.
  package private(set) var discarded: [PropertyReference: Int] = [:]

  /// What was chosen for the relationship at hand: which objects are there stays as it is.
  private var choices: [Choice: ObjectID?] = [:]

  private struct Choice: Hashable {
    let source: ObjectID
    let isForward: Bool
    let withRetried: Bool
  }

  private var builder: StoreBuilder { copy.builder }
  private var model: Model { builder.targetSchema.model }

  /// The links of objects of the source; what came of these has to be there.
  package init(_ copy: ScriptedCopy, of sources: [ObjectID]) {
    (self.copy, self.sources, retried) = (copy, sources, Set(sources))
  }

  /// Two objects of the source that are linked, as the mapping's forward direction sees them.
  private struct Pair: Hashable {
    let near: ObjectID
    let far: ObjectID

    init(_ own: ObjectID, _ other: ObjectID, isForward: Bool) {
      (near, far) = isForward ? (own, other) : (other, own)
    }
  }

  /// The links of one relationship, and the statement that reads them as ``LinkPairs`` has them.
  private struct Links {
    let mapping: LinkMapping
    let ends: (near: LinkEnd, far: LinkEnd)
    let sql: String

    init?(_ link: LinkMapping, _ builder: StoreBuilder) {
      let units = LinkUnits(builder)
      guard let near = units.end(link, .near), let far = units.end(link, .far),
        let pass = LinkPass.passes(of: link, to: builder.targetSchema).first,
        let sql = LinkReading(
          link: link, near: near, far: far, source: builder.sourceSchema,
          target: builder.targetSchema, travelled: []
        ).sql(pass.reading)
      else { return nil }
      (mapping, ends, self.sql) = (link, (near, far), sql)
    }

    func end(isNear: Bool) -> LinkEnd { isNear ? ends.near : ends.far }

    func direction(_ isForward: Bool) -> LinkMapping.Direction {
      isForward ? mapping.forward : mapping.backward
    }
  }

  /// Makes the links, and notes those that it could not make.
  package mutating func run() throws {
    for source in sources {
      for object in try copy.destinations(of: source) { try emptyLost(object, of: source) }
    }
    for link in builder.mapping.links where link.sourceStorage != nil {
      guard let links = Links(link, builder) else { continue }
      let isReflexive = link.forward.source == link.backward.source
      choices = [:]
      var seen: Set<Pair> = []
      for source in sources {
        for isForward in [true, false].prefix(isReflexive ? 1 : 2) {
          let (near, far) = (links.direction(isForward), links.direction(!isForward))
          for other in try others(of: source, near, far) {
            let pair = Pair(source, other, isForward: isForward)
            if seen.insert(pair).inserted { try join(pair, links) }
          }
        }
      }
    }
  }

  /// Takes away the keys that travelled with the row and lead to what is not there any more, to
  /// what may be another's, or to a place that may be; the others stay.
  private func emptyLost(_ object: ObjectID, of source: ObjectID) throws {
    guard let mapped = builder.mapping.objects(from: source.entity),
      mapped.target == object.entity
    else { return }
    for (place, columns) in builder.travel.places(of: mapped) {
      if let name = place.relationship, try copy.assigned.has(name, of: object) { continue }
      if try isKept(place, of: object) { continue }
      try copy.update(
        object, try builder.targetLayout(object.entity),
        columns.map { ($0.column, .null) })
    }
  }

  /// Whether a link that travelled leads to an object that is there, and that many may lead to, in
  /// no order.
  private func isKept(_ place: LinkPlace, of object: ObjectID) throws -> Bool {
    guard place.new.position == nil else { return false }
    if let name = place.relationship {
      let relationship = model.relationship(name.property, ofEntity: name.entity)
      let inverse = relationship.flatMap { model.inverse(of: $0) }
      guard relationship?.isToMany == true || inverse?.relationship.isToMany == true else {
        return false
      }
    }
    let own = try copy.table(builder.targetLayout(object.entity))
    let key = Identifier.quoted(place.new.key)
    return try copy.telling(object) {
      try builder.connection.integer(
        """
        SELECT 1 FROM main.\(Identifier.quoted(place.other.targetTable))
        WHERE Z_PK = (SELECT \(key) FROM \(own) WHERE Z_PK = ?1)
        """, [.integer(object.key)]) == 1
    }
  }

  /// The objects of the source that one is linked with.
  private func others(
    of source: ObjectID, _ near: LinkMapping.Direction, _ far: LinkMapping.Direction
  ) throws -> [ObjectID] {
    let model = builder.sourceSchema.model
    if let own = near.source {
      guard isOf(source.entity, own.entity, model),
        let relationship = model.relationship(own.property, ofEntity: own.entity)
      else { return [] }
      return try copy.reader.destinations(own.property, of: source, toMany: relationship.isToMany)
    }
    guard let back = far.source,
      let relationship = model.relationship(back.property, ofEntity: back.entity),
      isOf(source.entity, relationship.destination, model)
    else { return [] }
    return try copy.reader.owners(of: source, by: back)
  }

  private func isOf(_ entity: String, _ ancestor: String, _ model: Model) -> Bool {
    guard let entity = model.entity(named: entity), let ancestor = model.entity(named: ancestor)
    else { return false }
    return model.entity(entity, inheritsFrom: ancestor)
  }

  /// Of what came of an object the one that has its links, if it is there.
  ///
  /// Where an application has deleted that one, no other has the links.
  private func object(of source: ObjectID, _ links: Links, isNear: Bool) throws -> ObjectID? {
    let noted = try noted(of: source, links, isNear: isNear)
    return try noted.flatMap { try copy.targetReader.has($0) ? $0 : nil }
  }

  /// The same, whether it is there or not: as in ``LinkReading``, the first of the entity that the
  /// mapping has for the object, or else the first of all.
  private func noted(of source: ObjectID, _ links: Links, isNear: Bool) throws -> ObjectID? {
    let entity = links.end(isNear: isNear).targetEntity
    let able = try copy.destinations(ofGone: source).filter { isOf($0.entity, entity, model) }
    let preferred = builder.mapping.objects(from: source.entity)?.target
    return able.first { $0.entity == preferred } ?? able.first
  }
}

// One link.
extension LinkRestoring {
  /// A link between objects of the target, in the direction of a relationship that it has.
  private struct Joint {
    let pair: Pair
    let links: Links
    let isForward: Bool
    let owner: ObjectID
    let other: ObjectID
    let link: ObjectLink
  }

  /// Links what came of a pair, if a run would.
  private mutating func join(_ pair: Pair, _ links: Links) throws {
    let near = try object(of: pair.near, links, isNear: true)
    let far = try object(of: pair.far, links, isNear: false)
    guard let near, let far else { return try noteGone(near, far, pair, links) }
    guard try isChosen(pair, links) else { return discard(links) }
    let isForward = links.mapping.forward.target != nil
    guard let name = links.direction(isForward).target else { return }
    let (owner, other) = isForward ? (near, far) : (far, near)
    let link = try ObjectLink(builder.targetSchema, owner, name.property)
    try add(
      Joint(
        pair: pair, links: links, isForward: isForward, owner: owner, other: other, link: link))
  }

  /// Notes a link to what is not in the store, where what is there has a relationship for it.
  private mutating func noteGone(
    _ near: ObjectID?, _ far: ObjectID?, _ pair: Pair, _ links: Links
  ) throws {
    let isNear = near != nil
    let source = isNear ? pair.far : pair.near
    // What fails again is reported with its reason.
    guard let object = near ?? far, !retried.contains(source),
      let name = links.direction(isNear).target, try !copy.assigned.has(name, of: object)
    else { return }
    let same = builder.impliedMapping(of: source.entity).map {
      ObjectID(entity: $0.target, key: source.key)
    }
    guard let gone = try noted(of: source, links, isNear: !isNear) ?? same else { return }
    left.append(
      "\(object.entity) \(object.key), \(name.property): not linked with "
        + "\(gone.entity) \(gone.key), which is not in the store")
  }

  private mutating func discard(_ links: Links) {
    let name = links.mapping.forward.target ?? links.mapping.backward.target
    if let name { discarded[name, default: 0] += 1 }
  }

  private mutating func add(_ joint: Joint) throws {
    if try copy.assigned.has(joint.link.reference, of: joint.owner) { return }
    if case .toMany = joint.link.storage, let inverse = joint.link.inverseReference {
      let back = try ObjectLink(builder.targetSchema, joint.other, inverse.property)
      return try add(
        Joint(
          pair: joint.pair, links: joint.links, isForward: !joint.isForward, owner: joint.other,
          other: joint.owner, link: back))
    }
    if try isThere(joint) || isAssigned(joint) { return }
    guard try makeRoom(joint) else { return }
    try ObjectLinkWriter(copy, joint.owner, joint.link).add(
      joint.other, at: try place(joint, isForward: joint.isForward),
      back: try place(joint, isForward: !joint.isForward))
  }

  private func isThere(_ joint: Joint) throws -> Bool {
    let name = joint.link.reference.property
    let isToMany = model.relationship(name, ofEntity: joint.owner.entity)?.isToMany == true
    return try copy.targetReader.destinations(name, of: joint.owner, toMany: isToMany)
      .contains(joint.other)
  }

  /// Whether a script has said what leads back.
  private func isAssigned(_ joint: Joint) throws -> Bool {
    guard case .toOne? = joint.link.inverse, let inverse = joint.link.inverseReference else {
      return false
    }
    return try copy.assigned.has(inverse, of: joint.other)
  }

  /// Whether nothing stands in the way of a link, or what a run made that knew of less.
  private mutating func makeRoom(_ joint: Joint) throws -> Bool {
    let (link, reader) = (joint.link, copy.targetReader)
    var isFree = true
    switch link.storage {
    case .toOne:
      let there = try reader.destinations(
        link.reference.property, of: joint.owner, toMany: false)
      isFree = try isChoice(there, joint, isForward: joint.isForward)
      if case .toOne? = link.inverse, let inverse = link.inverseReference {
        let back = try reader.destinations(inverse.property, of: joint.other, toMany: false)
        isFree = try isFree && isChoice(back, joint, isForward: !joint.isForward)
      }
    case .toMany:
      // Its row has a place for one owner alone.
      let owners = try reader.owners(of: joint.other, by: link.reference)
      isFree = try isChoice(owners, joint, isForward: !joint.isForward)
    case .manyToMany, .attribute, .notStored: break
    }
    if isFree { return true }
    guard try !isShared(joint.owner) && !isShared(joint.other) else {
      discard(joint.links)
      return false
    }
    left.append(
      "\(joint.owner.entity) \(joint.owner.key), \(link.reference.property): not linked with "
        + "\(joint.other.entity) \(joint.other.key), as one of the two has another link now, "
        + "which stays")
    return false
  }

  /// Whether several objects of the source have become one: a column holds a link of one of them.
  private func isShared(_ object: ObjectID) throws -> Bool {
    let number = Int64(try builder.targetLayout(object.entity).number)
    return try copy.telling(object) {
      let count = try builder.connection.integer(
        """
        SELECT (SELECT count(*) FROM main.\(BuilderTables.objects)
        WHERE entity = ?1 AND object = ?2) + 2 * (SELECT count(*)
        FROM main.\(BuilderTables.merged) WHERE entity = ?1 AND object = ?2)
        """, [.integer(number), .integer(object.key)])
      return (count ?? 0) > 1
    }
  }
}

// Where one can be and several were.
extension LinkRestoring {
  /// Whether a run keeps a link, of those between objects that are there.
  private mutating func isChosen(_ pair: Pair, _ links: Links) throws -> Bool {
    if links.mapping.forward.narrows,
      try choice(of: pair.near, links, isForward: true) != pair.far
    {
      return false
    }
    return try !links.mapping.backward.narrows
      || choice(of: pair.far, links, isForward: false) == pair.near
  }

  /// Whether an object leads to nothing, or to what a run chose without the objects of the retry.
  private mutating func isChoice(
    _ there: [ObjectID], _ joint: Joint, isForward: Bool
  ) throws -> Bool {
    guard let there = there.first else { return true }
    guard joint.links.direction(isForward).narrows else { return false }
    let own = isForward ? joint.pair.near : joint.pair.far
    let earlier = try choice(of: own, joint.links, isForward: isForward, withRetried: false)
    guard let earlier,
      try object(of: earlier, joint.links, isNear: !isForward) == there
    else { return false }
    discard(joint.links)
    return true
  }

  /// The object that one leads to, in a direction that keeps one of several.
  private mutating func choice(
    of source: ObjectID, _ links: Links, isForward: Bool, withRetried: Bool = true
  ) throws -> ObjectID? {
    let choice = Choice(source: source, isForward: isForward, withRetried: withRetried)
    if let known = choices[choice] { return known }
    let found = try find(choice, links)
    choices.updateValue(found, forKey: choice)
    return found
  }

  private mutating func find(_ choice: Choice, _ links: Links) throws -> ObjectID? {
    let (source, isForward) = (choice.source, choice.isForward)
    let (own, other) = isForward ? ("old_a", "old_b") : ("old_b", "old_a")
    let far = links.end(isNear: !isForward)
    let keep = links.direction(isForward).keep ?? .first
    let rows = try copy.telling(source) {
      try builder.connection.rows(
        """
        SELECT p.\(other), e.Z_ENT FROM (\(links.sql)) AS p
        JOIN \(Identifier.quoted(far.sourceTable, in: "source")) AS e ON e.Z_PK = p.\(other)
        WHERE p.\(own) = ?1 ORDER BY \(LinkPairs.order(forward: isForward, keep))
        """, [.integer(source.key)])
    }
    for row in rows {
      guard let key = row[0].integer, let number = row[1].integer,
        let entity = builder.sourceSchema.entity(number: Int(clamping: number))
      else { continue }
      let candidate = ObjectID(entity: entity.name, key: key)
      if !choice.withRetried, retried.contains(candidate) { continue }
      guard try object(of: candidate, links, isNear: !isForward) != nil else { continue }
      // Forward is chosen first, and backward of what is left.
      if !isForward, links.mapping.forward.narrows,
        try self.choice(of: candidate, links, isForward: true, withRetried: choice.withRetried)
          != source
      {
        continue
      }
      return candidate
    }
    return nil
  }
}

// Order.
extension LinkRestoring {
  /// The place of one object in the order of the other, as a run would write it, or the next one
  /// that is free where another process has put something there; nil where there is no order.
  private func place(_ joint: Joint, isForward: Bool) throws -> Int64? {
    guard let list = list(joint, isForward) else { return nil }
    let (links, order) = (joint.links, joint.links.direction(isForward).order)
    let isOwner = isForward == joint.isForward
    let (owner, other) = isOwner ? (joint.owner, joint.other) : (joint.other, joint.owner)
    let source = try sourcePlace(joint.pair, links, isForward)
    guard let table = list.join else {
      // Where an order begins, all have the owner's key for a place.
      guard let source else { return order == .numbered ? owner.key : nil }
      return try free(source, joint, isForward, list, owner, other)
    }
    guard order != .kept else {
      return try source.flatMap { try free($0, joint, isForward, list, owner, other) }
    }
    let (near, far) = isForward ? (owner, other) : (other, owner)
    let place: Int64? =
      switch LinkOrder.place(in: table, links.mapping, isForward: isForward) {
      case "a": near.key
      case "b": far.key
      case let constant: Int64(constant)
      }
    return try place.flatMap { try free($0, joint, isForward, list, owner, other) }
  }

  /// Where the order of one object's links is.
  private struct List {
    let table: String
    let owner: String
    let member: String
    let position: String
    let join: JoinTable?
  }

  private func list(_ joint: Joint, _ isForward: Bool) -> List? {
    let storage = isForward == joint.isForward ? joint.link.storage : joint.link.inverse
    let opposite = isForward == joint.isForward ? joint.link.inverse : joint.link.storage
    switch (storage, opposite) {
    case (.manyToMany(let join)?, _):
      return join.position.map {
        List(
          table: join.table, owner: join.source, member: join.destination, position: $0,
          join: builder.targetSchema.joinTable(named: join.table))
      }
    case (.toMany(let many)?, nil):
      return many.position.map {
        List(
          table: many.table, owner: many.key.name, member: "Z_PK", position: $0.name, join: nil)
      }
    case (.toMany(let many)?, .toOne(let one)?):
      return one.position.map {
        List(table: many.table, owner: one.key.name, member: "Z_PK", position: $0.name, join: nil)
      }
    default: return nil
    }
  }

  /// The place that the source has; a relationship that is its own inverse has a row for each way.
  private func sourcePlace(_ pair: Pair, _ links: Links, _ isForward: Bool) throws -> Int64? {
    let isReflexive = links.mapping.forward.source == links.mapping.backward.source
    let keys = isReflexive && !isForward ? [pair.far, pair.near] : [pair.near, pair.far]
    return try copy.telling(pair.near) {
      try builder.connection.scalar(
        """
        SELECT \(isForward || isReflexive ? "forward" : "backward") FROM (\(links.sql))
        WHERE old_a = ?1 AND old_b = ?2
        """, keys.map { .integer($0.key) })?.integer
    }
  }

  /// A place that nothing else has, unless the source has it several times.
  private func free(
    _ place: Int64, _ joint: Joint, _ isForward: Bool, _ list: List, _ owner: ObjectID,
    _ other: ObjectID
  ) throws -> Int64 {
    func isTaken(_ place: Int64) throws -> Bool {
      try copy.telling(owner) {
        try builder.connection.integer(
          """
          SELECT 1 FROM \(Identifier.quoted(list.table, in: "main"))
          WHERE \(Identifier.quoted(list.owner)) = ?1
          AND \(Identifier.quoted(list.position)) = ?2
          AND \(Identifier.quoted(list.member)) <> ?3 LIMIT 1
          """, [.integer(owner.key), .integer(place), .integer(other.key)]) == 1
      }
    }
    guard try isTaken(place), try !isShared(owner) else { return place }
    let (own, column) = isForward ? ("old_a", "forward") : ("old_b", "backward")
    let source = isForward ? joint.pair.near : joint.pair.far
    let same = try copy.telling(source) {
      try builder.connection.integer(
        "SELECT count(*) FROM (\(joint.links.sql)) WHERE \(own) = ?1 AND \(column) = ?2",
        [.integer(source.key), .integer(place)])
    }
    guard (same ?? 0) < 2 else { return place }
    var next = place
    while next < .max, try isTaken(next) { next += 1 }
    return next
  }
}
