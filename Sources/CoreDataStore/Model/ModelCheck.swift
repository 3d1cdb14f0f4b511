/// What must hold between a model's entities before anything else looks at them.
struct ModelCheck {
  /// Models are written by hand: none nests entities this deeply, and work grows with depth.
  static let deepest = 200
  /// The largest compiled models known have a few hundred entities.
  static let mostEntities = 50_000
  /// Properties of all entities together, inherited ones counted each time.
  static let mostProperties = 300_000

  private let model: Model

  init(_ model: Model) { self.model = model }

  /// Throws the first thing that does not hold.
  func run() throws(Failure) {
    guard model.entities.count <= Self.mostEntities else {
      throw problem("", "It has more than \(Self.mostEntities) entities.")
    }
    try checkNames()
    try checkParents()
    try checkSize()
    for entity in model.entities { try check(entity) }
    try checkConfigurations()
  }

  private func problem(_ place: String, _ why: String) -> Failure {
    let subject = place.isEmpty ? "model \(model.name)" : "model \(model.name), \(place)"
    return Failure(readingModel: subject, why: why, remedy: Failure.fixModel)
  }

  private func checkNames() throws(Failure) {
    var seen: Set<String> = []
    for entity in model.entities {
      guard !entity.name.isEmpty else { throw problem("", "An entity has no name.") }
      guard seen.insert(entity.name).inserted else {
        throw problem("entity \(entity.name)", "Two entities have this name.")
      }
    }
  }

  /// Walks each line of parents once: what was reached before is known to be good.
  private func checkParents() throws(Failure) {
    var depths: [String: Int] = [:]
    for entity in model.entities {
      var line: [String] = []
      var next: Entity? = entity
      while let current = next, depths[current.name] == nil {
        line.append(current.name)
        guard line.count <= Self.deepest else { throw tooDeep(line, entity) }
        next = try parent(of: current)
      }
      let start = next.flatMap { depths[$0.name] } ?? 0
      guard start + line.count <= Self.deepest else { throw tooDeep(line, entity) }
      for (offset, name) in line.reversed().enumerated() { depths[name] = start + offset + 1 }
    }
  }

  private func checkSize() throws(Failure) {
    var sum = 0
    for entity in model.entities {
      for ancestor in model.lineage(of: entity) {
        sum += ancestor.attributes.count + ancestor.relationships.count
      }
      guard sum <= Self.mostProperties else {
        throw problem("", "It has more than \(Self.mostProperties) properties.")
      }
    }
  }

  private func parent(of entity: Entity) throws(Failure) -> Entity? {
    guard let name = entity.parent else { return nil }
    guard let parent = model.entity(named: name) else {
      throw problem("entity \(entity.name)", "Its parent entity \(name) is not in the model.")
    }
    return parent
  }

  private func tooDeep(_ line: [String], _ entity: Entity) -> Failure {
    let isCircle = Set(line).count < line.count
    return problem(
      "entity \(entity.name)",
      isCircle
        ? "Its parents form a circle: \(circle(line).joined(separator: ", "))."
        : "It has more than \(Self.deepest) ancestors.")
  }

  /// The part of a line from a name to its return.
  private func circle(_ line: [String]) -> [String] {
    var seen: Set<String> = []
    guard let again = line.first(where: { !seen.insert($0).inserted }),
      let start = line.firstIndex(of: again)
    else { return line }
    let end = line[(start + 1)...].firstIndex(of: again) ?? line.endIndex - 1
    return Array(line[start...end].prefix(10))
  }

  private func check(_ entity: Entity) throws(Failure) {
    var seen: Set<String> = []
    for name in entity.propertyNames {
      guard !name.isEmpty else {
        throw problem("entity \(entity.name)", "A property has no name.")
      }
      guard seen.insert(name).inserted else {
        throw problem("entity \(entity.name)", "Two properties have the name \(name).")
      }
    }
    let elements = Set(entity.composites.flatMap(\.leaves).map(\.name))
    for attribute in entity.attributes where attribute.isElement {
      guard elements.contains(attribute.name) else {
        throw problem(
          "attribute \(entity.name).\(attribute.name)",
          "Its name contains a dot; only parts of composite attributes have dots in their names.")
      }
    }
    for relationship in entity.relationships { try check(relationship, of: entity) }
  }

  private func check(_ relationship: Relationship, of entity: Entity) throws(Failure) {
    let place = "relationship \(entity.name).\(relationship.name)"
    guard model.entity(named: relationship.destination) != nil else {
      let name = relationship.destination
      throw problem(
        place,
        name.isEmpty
          ? "It has no destination entity."
          : "Its destination entity \(name) is not in the model.")
    }
    guard let name = relationship.inverseName, model.inverse(of: relationship) == nil else {
      return
    }
    let owner = relationship.inverseEntity ?? relationship.destination
    throw problem(place, "Its inverse \(owner).\(name) is not in the model.")
  }

  private func checkConfigurations() throws(Failure) {
    for (name, members) in model.configurations.sorted(by: { $0.key < $1.key }) {
      for member in members where model.entity(named: member) == nil {
        throw problem("configuration \(name)", "Its entity \(member) is not in the model.")
      }
    }
  }
}
