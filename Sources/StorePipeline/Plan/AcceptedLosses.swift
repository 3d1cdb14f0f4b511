import CoreDataStore
internal import StoreMigration

/// Sees that what is given up from outside is there, in one version or another.
///
/// A step that has not what a name says takes no notice of it; a name that none has is a slip, and
/// taken for granted it would let the right one through to be asked for again.
struct AcceptedLosses {
  private let entities: [(model: Model, entity: Entity)]

  init(_ models: [Model]) {
    entities = models.flatMap { model in model.entities.map { (model, $0) } }
  }

  /// The names that mean nothing.
  func problems(of names: [String]) -> [Problem] {
    names.compactMap { name in
      mistake(in: name).map {
        Problem(file: "--accept-loss \(name)", line: 0, message: $0)
      }
    }
  }

  private func mistake(in name: String) -> String? {
    guard name != "*" else { return nil }
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    let entity = NamedInstruction(parts.first ?? "")
    let found = entities.filter { entity.matches($0.entity.name) }
    guard !found.isEmpty else {
      let near = NearestName.quoted(for: entity.name, among: entities.map(\.entity.name))
      return "No version has an entity '\(entity.name)'\(near)."
    }
    guard let property = parts.dropFirst().first.map({ NamedInstruction($0) }) else { return nil }
    let names = found.flatMap { Self.properties($0.model, $0.entity) }
    guard !names.contains(where: property.matches) else { return nil }
    let near = NearestName.quoted(for: property.name, among: names)
    return "\(entity.name) has no property '\(property.name)' in any version\(near)."
  }

  private static func properties(_ model: Model, _ entity: Entity) -> [String] {
    model.allAttributes(of: entity).map(\.name) + model.allRelationships(of: entity).map(\.name)
      + (entity.parent == nil ? [MappingInstructions.strays] : [])
  }
}
