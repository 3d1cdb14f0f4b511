extension Model {
  /// The union of several models' entities, as an application merges them.
  ///
  /// - Throws: ``Failure`` when two models define the same entity differently.
  public init(merging models: [Model]) throws {
    guard models.count != 1 else {
      self = models[0]
      return
    }
    var entities: [String: (entity: Entity, model: String)] = [:]
    for model in models {
      for entity in model.entities {
        if let other = entities[entity.name], other.entity != entity {
          throw Self.clash(entity.name, other.model, model.name)
        }
        entities[entity.name] = (entity, model.name)
      }
    }
    try self.init(
      name: models.map(\.name).joined(separator: " + "),
      entities: entities.values.map(\.entity),
      versionIdentifiers: Array(Set(models.flatMap(\.versionIdentifiers))),
      configurations: Self.union(models.map(\.configurations)),
      fetchRequests: Array(Set(models.flatMap(\.fetchRequests))),
      recordedHashes: models.map(\.recordedHashes).reduce(into: [:]) {
        $0.merge($1) { first, _ in first }
      })
  }

  private static func clash(_ entity: String, _ first: String, _ second: String) -> Failure {
    Failure(
      .unusableModel, what: "cannot merge the models", subject: "\"\(first)\" and \"\(second)\"",
      why: "Both define the entity \(entity), and not in the same way.",
      remedy: "Name versions that belong together, or leave one of the models out.")
  }

  private static func union(_ all: [[String: [String]]]) -> [String: [String]] {
    var union: [String: Set<String>] = [:]
    for (name, members) in all.joined() { union[name, default: []].formUnion(members) }
    return union.mapValues { Array($0) }
  }
}
