internal import CoreDataStore
internal import StoreMigration

// What Core Data looks for in the objects: a migration ends at one that has none.
extension StepNeeds {
  mutating func settleConditions() {
    // What concerns all that inherit from an entity is asked once.
    var asked: Set<PropertyReference> = []
    for object in mapping.objects where !object.isAbstract {
      guard let entity = target.entity(named: object.target),
        let from = source.entity(named: object.source)
      else { continue }
      for attribute in target.allAttributes(of: entity) where attribute.isStored {
        settle(attribute, object, entity, from, &asked)
      }
      for relationship in target.allRelationships(of: entity) where !relationship.isToMany {
        let old = origin(of: relationship, entity)
        let answer =
          old.map { InferenceRules.answer($0, relationship, isSameDestination: true) }
          ?? InferenceRules.answer(adding: relationship)
        guard let why = answer.condition else { continue }
        add(
          link: relationship.name, of: entity.name, Self.sentence(why), from: old?.name)
      }
    }
  }

  /// What must be true of the objects for an attribute.
  private mutating func settle(
    _ attribute: Attribute, _ object: ObjectMapping, _ entity: Entity, _ from: Entity,
    _ asked: inout Set<PropertyReference>
  ) {
    guard let mapping = object.attribute(named: attribute.name), mapping.replacement == nil,
      let owner = target.attribute(named: attribute.name, of: entity)?.declaredBy.name
    else { return }
    switch mapping.origin {
    case .null:
      guard let why = InferenceRules.answer(adding: attribute).condition,
        asked.insert(PropertyReference(owner, attribute.name)).inserted
      else { return }
      add(attribute, of: owner, Self.sentence(why))
    case .source(let name, _):
      guard let old = source.attribute(named: name, of: from)?.attribute else { return }
      var alike = old
      alike.type = attribute.type
      guard let why = InferenceRules.answer(alike, attribute).condition else { return }
      becomesMandatory(attribute, owner, from: name, of: object.source, Self.sentence(why))
    case .value, .script, .derivation: return
    }
  }

  /// Objects that have a value keep it; what happens to the others is the question.
  private mutating func becomesMandatory(
    _ attribute: Attribute, _ owner: String, from old: String, of entity: String, _ why: String
  ) {
    let name = "\(owner).\(attribute.name)"
    var found: [StepNeeds.Answer] = []
    let entities = entities(keeping: old, as: attribute.name, of: owner)
    let own = isUnique(attribute.name, of: owner) ? identity(of: attribute, entity) : nil
    let rest = own ?? attribute.typeExample(later: versions(of: attribute, owner))
    let before = source.attribute(old, of: entity)
    let converted = mapping.objects(from: entity).flatMap { object in
      functions(attribute, from: old, of: object).first ?? kept(attribute, from: old, of: object)
    }
    let isSame = before == nil || before?.type == attribute.type
    if let parameter = Self.parameter(old), rest != "nil", isSame || converted != nil {
      let value = Value(
        attribute: attribute, parameters: [parameter] + (own == nil ? [] : ["ctx"]), why: why,
        body: isSame ? "return \(parameter) or \(rest)" : converted?.body,
        isOffered: answers[name]?.kind != .script, kept: old, text: converted?.text)
      add(value, to: entity)
      let list = entities.joined(separator: ", ")
      found.append(.init(.script, value.function, "in the script of \(list)"))
    }
    let filters = entities.map { SnippetText.filter($0, old) }.joined(separator: ", ")
    found += [
      .init(.rule, filters, "leaves such objects behind"),
      .init(.leave, "", "nothing, if all have one: a run refuses objects that have none"),
    ]
    let areMissing = entities.compactMap { samples.isMissing(old, of: $0) }
    let isMissing = areMissing.isEmpty ? nil : areMissing.contains(true)
    add(decision: name, why, ranked(found, isMissing: isMissing))
  }

  private func entities(keeping old: String, as new: String, of owner: String) -> [String] {
    mapping.objects.filter { object in
      guard !object.isAbstract, case .source(old, _)? = object.attribute(named: new)?.origin,
        let entity = target.entity(named: object.target)
      else { return false }
      return target.attribute(named: new, of: entity)?.declaredBy.name == owner
    }.map(\.source)
  }

  private static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + "."
  }
}
