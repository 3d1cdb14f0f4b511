internal import CoreDataStore

/// Where the links of each relationship of the source go.
struct LinkUses {
  /// A relationship of the target, and the entity whose objects are at its near end.
  private typealias Use = (name: PropertyReference, owner: String)

  private var uses: [PropertyReference: [Use]] = [:]
  private let target: Model

  /// Links that keep their direction, or where the target has none in it, the opposite one.
  init(_ links: [LinkMapping], in target: Model) {
    self.target = target
    for link in links {
      for (direction, other) in [(link.forward, link.backward), (link.backward, link.forward)] {
        guard let source = direction.source else { continue }
        if let name = direction.target {
          uses[source, default: []].append((name, name.entity))
        } else if let name = other.target, let owner = Self.destination(of: name, in: target) {
          uses[source, default: []].append((name, owner))
        }
      }
    }
  }

  private static func destination(of name: PropertyReference, in model: Model) -> String? {
    model.entity(named: name.entity)?.relationship(named: name.property)?.destination
  }

  /// The target's relationships that hold a source's links for the objects of a target entity.
  func of(_ source: PropertyReference, at entity: Entity) -> [PropertyReference] {
    uses[source, default: []].filter { use in
      target.entity(named: use.owner).map { target.entity(entity, inheritsFrom: $0) } ?? false
    }.map(\.name)
  }
}
