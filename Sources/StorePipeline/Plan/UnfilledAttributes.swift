import CoreDataStore
internal import StoreMigration

/// Finds mandatory attributes that every object would be without: Core Data refuses each of them.
struct UnfilledAttributes {
  /// An attribute of the objects of an entity, where it should have been given a value.
  struct Unfilled {
    let step: PlannedStep
    let object: ObjectMapping
    let attribute: Attribute

    var lineage: [Entity] { step.to.entity(named: object.target).map(step.to.lineage) ?? [] }

    /// The entity that declares it.
    var owner: String {
      lineage.first { $0.attributes.contains { $0.name == attribute.name } }?.name ?? object.target
    }

    var key: [String] { [step.to.name, owner, attribute.name] }

    /// The same attribute in the steps that follow, as their problems name it.
    fileprivate(set) var later: Set<[String]> = []

    /// Every name by which a problem may be about it, each behind the version of its step.
    var names: Set<[String]> {
      later.union(UnfilledAttributes.names(attribute.name, object, step.to))
    }
  }

  private static func names(
    _ attribute: String, _ object: ObjectMapping, _ model: Model
  ) -> [[String]] {
    let lineage = model.entity(named: object.target).map(model.lineage) ?? []
    return lineage.map { [model.name, "\($0.name).\(attribute)"] }
  }

  /// A step, with what is asked of it for each attribute.
  private struct Giving {
    let step: PlannedStep
    /// Entities whose objects are made by scripts, or not at all while scripts have mistakes.
    let unknown: Set<String>
    /// Entities of the source without an object.
    let empty: Set<String>
    let touches: StageTouches
    let gifts: PlannedScript.Gifts
    /// A stage of the user's own does not say what it changes.
    let hasOpenStage: Bool

    func mayGive(_ name: String, to object: ObjectMapping) -> Bool {
      hasOpenStage || unknown.contains(object.source) || touches.has(name, of: object.target)
        || gifts.has(name, from: object.source)
    }
  }

  private let givings: [Giving]
  private let faulty: Set<String>

  /// `faulty` are the entities whose scripts have mistakes of their own, which are reported.
  init(_ stages: StageRegistry, _ faulty: Set<String>, _ steps: [PlannedStep]) {
    self.faulty = faulty
    givings = steps.map { step in
      let scripted = step.mapping.entities.filter { $0.fate == .scripted }.map(\.entity)
      return Giving(
        step: step, unknown: faulty.union(scripted),
        empty: Set(step.entities.filter { $0.rows == 0 }.compactMap(\.source)),
        touches: StageTouches(step.revisions.flatMap(\.touches), step.targetSchema.model),
        gifts: PlannedScript.Gifts(step.scripts),
        hasOpenStage: step.stages.contains { stage in
          stages.kind(named: stage.name)?.file == nil && StageRegistry.standard[stage.name] == nil
        })
    }
  }

  /// Those of a version, each where it should have been given a value.
  func all(of version: Model) -> [Unfilled] {
    givings.filter { $0.step.to.name == version.name }.flatMap { giving in
      giving.step.mapping.objects.filter { !$0.isAbstract }.flatMap { object in
        let model = giving.step.to
        return model.entity(named: object.target).map { model.allAttributes(of: $0) }.map {
          $0.filter { !$0.isOptional && $0.isStored && $0.derivation == nil }.compactMap {
            origin(of: $0, object, giving, givings.count)
          }
        } ?? []
      }
    }
  }

  /// Where an attribute begins without a value; nil where something may give it one.
  private func origin(
    of attribute: Attribute, _ object: ObjectMapping, _ giving: Giving, _ most: Int
  ) -> Unfilled? {
    guard most > 0, !giving.mayGive(attribute.name, to: object) else { return nil }
    let mapping = object.attribute(named: attribute.name)
    switch mapping?.origin {
    case .null:
      let isFilled = giving.empty.contains(object.source) || mapping?.rule == .constant
      return isFilled ? nil : Unfilled(step: giving.step, object: object, attribute: attribute)
    case .source(let old, nil) where mapping?.replacement == nil:
      let found = givings.lazy.filter { $0.step.to.name == giving.step.from.name }
        .flatMap { before in
          before.step.mapping.objects(into: object.source).lazy.filter { !$0.isAbstract }
            .compactMap { origin(named: old, $0, before, most - 1) }
        }.first
      return found.map { found in
        var named = found
        named.later.formUnion(Self.names(attribute.name, object, giving.step.to))
        return named
      }
    case .source, .value, .script, .derivation, nil: return nil
    }
  }

  private func origin(
    named name: String, _ object: ObjectMapping, _ giving: Giving, _ most: Int
  ) -> Unfilled? {
    let model = giving.step.to
    return model.entity(named: object.target).flatMap { model.attribute(named: name, of: $0) }
      .flatMap { origin(of: $0.attribute, object, giving, most) }
  }
}

// What scripts make themselves.
extension UnfilledAttributes {
  /// What scripts forget of the objects of a version that they make: all that is known of such an
  /// object stands in the script.
  func forgotten(by version: Model) -> [Problem] {
    givings.filter { $0.step.to.name == version.name && !$0.hasOpenStage }.flatMap { giving in
      giving.step.scripts.filter { script in
        script.outline.makesObjects && !script.outline.computesNames
          && !faulty.contains(script.entity) && !giving.empty.contains(script.entity)
      }.flatMap { script in
        made(by: script, giving).sortedByName().compactMap { version.entity(named: $0) }
          .filter { !$0.isAbstract }.flatMap { forgotten(of: $0, script, giving) }
      }
    }
  }

  /// The entities of the objects that a script is seen to make.
  private func made(by script: PlannedScript, _ giving: Giving) -> Set<String> {
    let own = giving.step.mapping.objects(from: script.entity)?.target
    let names = script.outline.constructions.map { $0.entity.isEmpty ? own : $0.entity }
    return Set(names.compactMap(\.self))
  }

  private func forgotten(
    of entity: Entity, _ script: PlannedScript, _ giving: Giving
  ) -> [Problem] {
    let (outline, model) = (script.outline, giving.step.to)
    let mapped = giving.step.mapping.objects(from: script.entity)
    let places = outline.constructions.filter { place in
      place.entity == entity.name || place.entity.isEmpty && mapped?.target == entity.name
    }
    guard !places.isEmpty, !places.contains(where: { $0.content == .unknown }) else { return [] }
    return model.allAttributes(of: entity).compactMap { attribute in
      let name = attribute.name
      guard attribute.isNeeded, !outline.assigns.contains(name),
        !giving.gifts.has(name, from: ""), !giving.touches.has(name, of: entity.name)
      else { return nil }
      let isEmpty = mapped.map { mapped in
        guard mapped.target == entity.name,
          case .null = mapped.attribute(named: name)?.origin
        else { return false }
        return mapped.attribute(named: name)?.rule != .constant
      }
      guard let place = places.first(where: { $0.content == .written || isEmpty == true })
      else { return nil }
      let value = attribute.plainExample().map { ", as in { \(name) = \($0) }" } ?? ""
      return Problem(
        file: place.file, line: place.line,
        message: "it makes \(entity.name.withArticle) without '\(name)', which is mandatory and "
          + "has no default; give it a value\(value)")
    }
  }
}

extension Attribute {
  /// Whether each object must have a value that the model does not give it.
  fileprivate var isNeeded: Bool {
    !isOptional && isStored && derivation == nil && defaultValue == nil
  }
}
