internal import CoreDataStore

/// Finds what becomes of each entity of the source.
struct EntityFates {
  /// The entities, by name.
  private(set) var fates: [EntityFate] = []
  /// Objects that would be lost without anybody having given them up.
  private(set) var problems: [MappingProblem] = []

  init(_ context: MappingContext) {
    for entity in context.source.entities {
      fates.append(
        EntityFate(
          entity: entity.name, fate: Self.fate(of: entity, context),
          conditions: context.filters(of: entity).map(\.condition)))
      check(entity, fates.last?.fate, context)
    }
  }

  private static func fate(of entity: Entity, _ context: MappingContext) -> MappingFate {
    if context.claims(on: entity).contains(where: \.makesObjects) { return .scripted }
    if let target = context.entities.targets[entity.name] {
      let holdsObjects = context.target.entity(named: target)?.isAbstract == false
      guard entity.isAbstract || holdsObjects else {
        return .dropped(isDeclared: context.accepts(lossOf: entity))
      }
      return target == entity.name ? .kept : .moved(to: [target])
    }
    let isDeclared =
      entity.isAbstract || context.entities.dropped.contains(entity.name)
      || context.accepts(lossOf: entity)
    return .dropped(isDeclared: isDeclared)
  }

  private mutating func check(
    _ entity: Entity, _ fate: MappingFate?, _ context: MappingContext
  ) {
    guard fate == .dropped(isDeclared: false) else { return }
    let why: String
    if let target = context.entities.targets[entity.name] {
      why =
        "The target's \(target) is abstract and has no objects: those of \(entity.name) would be "
        + "lost."
    } else {
      why = "The target has no entity of this name or identifier: its objects would be lost."
    }
    problems.append(
      MappingProblem(.loss, entity.name, why: why, snippet: SnippetText.drop(entity.name)))
  }
}
