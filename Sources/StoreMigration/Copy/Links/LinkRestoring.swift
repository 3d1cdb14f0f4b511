internal import CoreDataStore
internal import SQLite

// The links of objects that a retry puts into a store: those of the source, wherever both ends are
// there and no other link has taken their place since.
extension ScriptedCopy {
  /// Links what was made from one object of the source as its links say.
  ///
  /// What the script has assigned stays as it is, and so does what an application has linked since.
  ///
  /// - Returns: The links that could not be made for that reason.
  package func restoreLinks(of source: ObjectID) throws -> [LinkNotRestored] {
    let made = try destinations(of: source)
    for object in made { try emptyLost(object, of: source) }
    var left: [LinkNotRestored] = []
    for link in builder.mapping.links where link.sourceStorage != nil {
      let isReflexive = link.forward.source == link.backward.source
      let directions = [(link.forward, link.backward), (link.backward, link.forward)]
      for (near, far) in directions.prefix(isReflexive ? 1 : 2) {
        for other in try others(of: source, near, far) {
          let ends = ((source, made), (other, try destinations(ofGone: other)))
          if let link = try join(ends.0, ends.1, near, far) { left.append(link) }
        }
      }
    }
    return left
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

  /// An object of the source, and what came of it.
  private typealias End = (source: ObjectID, made: [ObjectID])

  /// Links the objects of each side that a run would link.
  private func join(
    _ near: End, _ far: End, _ direction: LinkMapping.Direction, _ back: LinkMapping.Direction
  ) throws -> LinkNotRestored? {
    if let name = direction.target { return try join(near, name, far) }
    return try back.target.flatMap { try join(far, $0, near) }
  }

  private func join(
    _ owners: End, _ name: PropertyReference, _ others: End
  ) throws -> LinkNotRestored? {
    guard let owner = first(of: owners, in: name.entity) else { return nil }
    let link = try ObjectLink(builder.targetSchema, owner, name.property)
    // Where an application has deleted the first one, no other has the link.
    guard let other = first(of: others, in: link.destination),
      try targetReader.has(owner), try targetReader.has(other)
    else { return nil }
    let isLeft = try !add(other, of: owner, link)
    return isLeft ? LinkNotRestored(owner: owner, relationship: name.property, other: other) : nil
  }

  /// Of what came of an object the one that has its links: as in ``LinkReading``, the first of the
  /// entity that the mapping has for the object, or else the first of all that can have them.
  private func first(of end: End, in entity: String) -> ObjectID? {
    let model = builder.targetSchema.model
    let able = end.made.filter { isOf($0.entity, entity, model) }
    let preferred = builder.mapping.objects(from: end.source.entity)?.target
    return able.first { $0.entity == preferred } ?? able.first
  }

  /// Adds an object to a relationship; false where another link stands in the way.
  private func add(_ other: ObjectID, of owner: ObjectID, _ link: ObjectLink) throws -> Bool {
    if try assigned.has(link.reference, of: owner) { return true }
    let name = link.reference.property
    let writer = ObjectLinkWriter(self, owner, link)
    switch link.storage {
    case .toOne(let storage):
      let there = try targetReader.destinations(name, of: owner, toMany: false)
      guard there != [other] else { return true }
      guard try there.isEmpty && isFree(other, link) else { return false }
      try writer.set(storage, to: other)
    case .toMany(let storage):
      if let inverse = link.inverseReference {
        let back = try ObjectLink(builder.targetSchema, other, inverse.property)
        return try add(owner, of: other, back)
      }
      let there = try targetReader.destinations(name, of: owner, toMany: true)
      guard !there.contains(other) else { return true }
      // Its row has a place for one owner alone.
      guard try targetReader.owners(of: other, by: link.reference).isEmpty else { return false }
      try writer.set(storage, to: there + [other])
    case .manyToMany(let storage):
      let there = try targetReader.destinations(name, of: owner, toMany: true)
      if !there.contains(other) { try writer.set(storage, to: there + [other]) }
    case .attribute, .notStored: break
    }
    return true
  }

  /// Whether an object that can be led to by one only is led to by none.
  private func isFree(_ other: ObjectID, _ link: ObjectLink) throws -> Bool {
    guard case .toOne? = link.inverse, let inverse = link.inverseReference else { return true }
    return try !assigned.has(inverse, of: other)
      && targetReader.destinations(inverse.property, of: other, toMany: false).isEmpty
  }
}

/// A link of the source that a retry could not make: what another process has linked since stays.
package struct LinkNotRestored: Sendable, Hashable {
  let owner: ObjectID
  let relationship: String
  let other: ObjectID
}

extension LinkNotRestored: CustomStringConvertible {
  package var description: String {
    "\(owner.entity) \(owner.key), \(relationship): not linked with \(other.entity) \(other.key), "
      + "as one of the two has another link now, which stays"
  }
}
