internal import CoreDataStore
internal import StoreMigration

// Attributes that have moved to an entity of their own.
extension StepNeeds {
  /// Offers an object of a new entity where it has attributes like those without a place, and a
  /// relationship leads to it.
  mutating func settleSplits() {
    for object in mapping.objects where !object.isAbstract {
      guard let entity = target.entity(named: object.target) else { continue }
      for link in target.allRelationships(of: entity) where !link.isToMany && !link.isTransient {
        guard mapping.added.contains(link.destination),
          let far = target.entity(named: link.destination), !far.isAbstract
        else { continue }
        let values = values(moved: object, to: far)
        if !values.isEmpty { offer(values, link, far, object) }
      }
    }
  }

  /// Which attributes of a new entity are like those of the source that have no place.
  private func values(moved object: ObjectMapping, to far: Entity) -> [String: String] {
    guard let entity = source.entity(named: object.source) else { return [:] }
    let lost = source.allAttributes(of: entity).filter { attribute in
      object.fate(of: attribute.name) == .dropped(isDeclared: false)
        && Self.parameter(attribute.name) == attribute.name
    }
    var values: [String: String] = [:]
    for attribute in target.allAttributes(of: far)
    where attribute.isStored && attribute.derivation == nil {
      let alike = lost.filter { $0.type == attribute.type && !values.values.contains($0.name) }
      let isOnly = attribute.type == .binary && alike.count == 1
      let found =
        alike.first { $0.name == attribute.name }
        ?? alike.first { isOnly || likely.isNear($0.name, attribute.name) }
      values[attribute.name] = found?.name
    }
    return values
  }

  /// The name of the parameter that receives the attribute: "place" for the part "place.city" of a
  /// composite attribute.
  static func parameter(_ name: String) -> String? {
    let whole = String(name.prefix { $0 != "." })
    return LuaText.key(whole) == whole ? whole : nil
  }

  private mutating func offer(
    _ values: [String: String], _ link: Relationship, _ far: Entity, _ object: ObjectMapping
  ) {
    let names = values.values.sorted()
    let list = names.joined(separator: ", ")
    let answer = StepNeeds.Answer(
      .script, "new.\(far.name) with \(list)", "create, in the script of \(object.source)")
    let isChosen = answers.values.contains { $0.kind == .script && $0.text == answer.text }
    let known = links[object.source]?.firstIndex { $0.relationship.name == link.name }
    if let known, let old = links[object.source]?[known] {
      links[object.source]?[known].values = values
      links[object.source]?[known].isOffered = old.isOffered && !isChosen
    } else {
      let verb = names.count == 1 ? "stands" : "stand"
      scripts[object.source] = scripts[object.source] ?? []
      links[object.source, default: []].append(
        Link(
          relationship: link, destination: far, old: nil,
          why: "What \(list) held \(verb) in \(far.name) from now on.", isOffered: !isChosen,
          values: values))
    }
    for (place, known) in decisions.enumerated() where !known.isUnique {
      guard names.contains(where: { known.name == "\(object.source).\($0)" }) else { continue }
      decisions[place] = StepNeeds.Decision(
        step: known.step, name: known.name, why: known.why, answers: [answer] + known.answers)
    }
  }
}
