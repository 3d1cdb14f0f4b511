internal import CoreDataStore
internal import SQLite

// The links of objects that a retry puts into a store: those of the source, wherever both ends are
// there and no other link has taken their place since.
extension ScriptedCopy {
  /// Links what was made from one object of the source as its links say.
  ///
  /// What the script has assigned stays as it is.
  package func restoreLinks(of source: ObjectID) throws {
    let made = try destinations(of: source)
    for object in made { try emptyLost(object, of: source) }
    for link in builder.mapping.links where link.sourceStorage != nil {
      let isReflexive = link.forward.source == link.backward.source
      let directions = [(link.forward, link.backward), (link.backward, link.forward)]
      for (near, far) in directions.prefix(isReflexive ? 1 : 2) {
        for other in try others(of: source, near, far) {
          try join(made, try destinations(ofGone: other), near, far)
        }
      }
    }
  }

  /// Takes away the keys that travelled with the row and lead to what is not there any more, or to
  /// what may be another's; the others stay, with their places.
  private func emptyLost(_ object: ObjectID, of source: ObjectID) throws {
    guard let mapped = builder.mapping.objects(from: source.entity),
      mapped.target == object.entity
    else { return }
    for (place, columns) in builder.travel.places(of: mapped) {
      if let name = place.relationship, try assigned.has(name, of: object) { continue }
      if try isKept(place, of: object) { continue }
      try update(
        object, try builder.targetLayout(object.entity),
        columns.map { ($0.column, .null) })
    }
  }

  /// Whether a link that travelled leads to an object that is there, and that many may lead to.
  private func isKept(_ place: LinkPlace, of object: ObjectID) throws -> Bool {
    if let name = place.relationship {
      let model = builder.targetSchema.model
      let relationship = model.relationship(name.property, ofEntity: name.entity)
      let inverse = relationship.flatMap { model.inverse(of: $0) }
      guard relationship?.isToMany == true || inverse?.relationship.isToMany == true else {
        return false
      }
    }
    let own = try table(builder.targetLayout(object.entity))
    let key = Identifier.quoted(place.new.key)
    return try telling(object) {
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
      return try reader.destinations(own.property, of: source, toMany: relationship.isToMany)
    }
    guard let back = far.source,
      let relationship = model.relationship(back.property, ofEntity: back.entity),
      isOf(source.entity, relationship.destination, model)
    else { return [] }
    return try reader.owners(of: source, by: back)
  }

  private func isOf(_ entity: String, _ ancestor: String, _ model: Model) -> Bool {
    guard let entity = model.entity(named: entity), let ancestor = model.entity(named: ancestor)
    else { return false }
    return model.entity(entity, inheritsFrom: ancestor)
  }

  /// Links the first of each side that the relationship can be between.
  private func join(
    _ near: [ObjectID], _ far: [ObjectID], _ direction: LinkMapping.Direction,
    _ back: LinkMapping.Direction
  ) throws {
    if let name = direction.target {
      try join(near, name, far)
    } else if let name = back.target {
      try join(far, name, near)
    }
  }

  private func join(_ owners: [ObjectID], _ name: PropertyReference, _ others: [ObjectID]) throws {
    let model = builder.targetSchema.model
    guard let owner = owners.first(where: { isOf($0.entity, name.entity, model) }) else { return }
    let link = try ObjectLink(builder.targetSchema, owner, name.property)
    // Where an application has deleted the first one, no other has the link.
    guard let other = others.first(where: { isOf($0.entity, link.destination, model) }),
      try targetReader.has(owner), try targetReader.has(other)
    else { return }
    try add(other, to: name.property, of: owner, link)
  }

  private func add(
    _ other: ObjectID, to name: String, of owner: ObjectID, _ link: ObjectLink
  ) throws {
    if try assigned.has(link.reference, of: owner) { return }
    let writer = ObjectLinkWriter(self, owner, link)
    switch link.storage {
    case .toOne(let storage):
      guard try targetReader.destinations(name, of: owner, toMany: false).isEmpty,
        try isFree(other, link)
      else { return }
      try writer.set(storage, to: other)
    case .toMany(let storage):
      guard let inverse = link.inverseReference else {
        let there = try targetReader.destinations(name, of: owner, toMany: true)
        return there.contains(other) ? () : try writer.set(storage, to: there + [other])
      }
      try join([other], inverse, [owner])
    case .manyToMany(let storage):
      let there = try targetReader.destinations(name, of: owner, toMany: true)
      if !there.contains(other) { try writer.set(storage, to: there + [other]) }
    case .attribute, .notStored: return
    }
  }

  /// Whether an object that can be led to by one only is led to by none.
  private func isFree(_ other: ObjectID, _ link: ObjectLink) throws -> Bool {
    guard case .toOne? = link.inverse, let inverse = link.inverseReference else { return true }
    return try !assigned.has(inverse, of: other)
      && targetReader.destinations(inverse.property, of: other, toMany: false).isEmpty
  }
}
