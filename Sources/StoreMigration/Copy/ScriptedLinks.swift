internal import CoreDataStore
internal import SQLite

// Links between objects of the target.

extension ScriptedCopy {
  /// Makes a relationship of an object lead to exactly these others, and its inverse back.
  ///
  /// Others that it led to are let go, none empties it, and an order is that of the list. From now
  /// on the mapping adds nothing to it: see ``AssignedLinks``.
  package func connect(
    _ object: ObjectID, _ relationship: String, _ others: [ObjectID]
  ) throws {
    let link = try ObjectLink(builder.targetSchema, object, relationship)
    for other in others { try link.check(other) }
    var seen: Set<ObjectID> = []
    let others = others.filter { seen.insert($0).inserted }
    let writer = ObjectLinkWriter(self, object, link)
    switch link.storage {
    case .toOne(let storage):
      guard others.count <= 1 else { throw link.tooMany() }
      try writer.set(storage, to: others.first)
    case .toMany(let storage):
      try unwritten.write()
      try writer.set(storage, to: others)
    case .manyToMany(let storage):
      try unwritten.write()
      try writer.set(storage, to: others)
    case .attribute, .notStored: throw link.unknown()
    }
    try noteAssigned(link, of: object, to: others)
  }

  /// Adds others to what a relationship to many of an object leads to, behind those that are there.
  ///
  /// It costs what is added, where ``connect(_:_:_:)`` costs the whole list.
  func append(_ others: [ObjectID], to object: ObjectID, _ relationship: String) throws {
    let link = try ObjectLink(builder.targetSchema, object, relationship)
    for other in others { try link.check(other) }
    let new = try ObjectLinkWriter(self, object, link).append(others)
    if !new.isEmpty { try noteAssigned(link, of: object, to: new) }
  }

  private func noteAssigned(
    _ link: ObjectLink, of object: ObjectID, to others: [ObjectID]
  ) throws {
    try assigned.note(link.reference, of: object)
    guard case .toOne? = link.inverse, let inverse = link.inverseReference else { return }
    for other in others { try assigned.note(inverse, of: other) }
  }
}
