internal import CoreDataStore
internal import StoreMigration

// Values that no two objects may share from now on.
extension StepNeeds {
  /// Whether a uniqueness constraint of the target is about a property.
  func isUnique(_ property: String, of entity: String) -> Bool {
    guard let found = target.entity(named: entity) else { return false }
    return target.descendants(of: found).flatMap(target.lineage).contains { ancestor in
      ancestor.uniquenessConstraints.contains { $0.contains(property) }
    }
  }

  /// A value that no other object has, as Lua writes it: from the key of the object of the source,
  /// and from the `place` among those that it makes, where they are several.
  func identity(
    of attribute: Attribute, _ entity: String, isOneOfSeveral: Bool = false
  ) -> String? {
    func key(_ sign: String) -> String {
      isOneOfSeveral ? "ctx.key() .. \"\(sign)\" .. place" : "ctx.key()"
    }
    let text = "\(LuaText.quoted("\(entity) ")) .. \(key(" "))"
    switch attribute.type {
    case .string: return text
    case .uri: return "\(LuaText.quoted("urn:\(entity):")) .. \(key("."))"
    case .uuid: return "uuid.named(\(text))"
    case .binary: return "uuid.bytes(uuid.named(\(text)))"
    case .integer64, .double, .decimal:
      return isOneOfSeveral ? "ctx.key() * 1000000 + place" : "ctx.key()"
    // They are too small for both numbers.
    case .integer16, .integer32, .float, .date: return isOneOfSeveral ? nil : "ctx.key()"
    default: return nil
    }
  }

  mutating func settleUniqueness() {
    for object in mapping.objects where !object.isAbstract {
      guard let entity = target.entity(named: object.target) else { continue }
      for ancestor in target.lineage(of: entity) {
        for constraint in ancestor.uniquenessConstraints {
          settle(constraint, of: ancestor, entity, object)
        }
      }
    }
  }

  /// Where the values of a property come from, as far as it matters.
  private enum Origin: Equatable {
    case source(String)
    /// All objects get the same.
    case constant
    /// None, or what a script makes.
    case other
  }

  /// The relationship of the source that one of the target was.
  func origin(of relationship: Relationship, _ entity: Entity) -> Relationship? {
    guard let declared = target.relationship(named: relationship.name, of: entity)?.declaredBy
    else { return nil }
    let reference = PropertyReference(declared.name, relationship.name)
    return mapping.links(of: reference).lazy.flatMap { [$0.forward, $0.backward] }
      .first { $0.target == reference }?.source
      .flatMap { source.relationship($0.property, ofEntity: $0.entity) }
  }

  private func origin(
    of property: String, _ entity: Entity, _ object: ObjectMapping
  ) -> Origin {
    if let link = target.relationship(named: property, of: entity)?.relationship {
      return origin(of: link, entity).map { .source($0.name) } ?? .other
    }
    // A function that gives a value to those that have none leaves all others as they are.
    let value = scripts[object.source]?.first { $0.attribute.name == property && !$0.isOffered }
    if let kept = value?.kept { return .source(kept) }
    return switch object.attribute(named: property)?.origin {
    case .source(let name, _): .source(name)
    case .value: .constant
    case .null, .script, .derivation, nil: .other
    }
  }

  private mutating func settle(
    _ constraint: [String], of owner: Entity, _ entity: Entity, _ object: ObjectMapping
  ) {
    let origins = constraint.map { origin(of: $0, entity, object) }
    guard let first = constraint.first, !origins.contains(.other) else { return }
    let old = origins.compactMap { if case .source(let name) = $0 { name } else { nil } }
    guard !old.isEmpty else { return settle(constant: first, of: owner, entity, object) }
    let known =
      source.entity(named: object.source).map(source.lineage)?
      .flatMap(\.uniquenessConstraints) ?? []
    guard !known.contains(where: { Set($0).isSubset(of: old) }) else { return }
    let name = "\(owner.name).\(first)"
    guard !decisions.contains(where: { $0.name == name && $0.isUnique }) else { return }
    let names = constraint.joined(separator: " and ")
    var why =
      "\(names) \(constraint.count == 1 ? "is" : "are together") unique from now on: objects that "
      + "have the same end the run."
    let family = target.descendants(of: owner).flatMap { mapping.objects(into: $0.name) }
    let sharing = samples.sharing(old, of: family.filter { !$0.isAbstract }.map(\.source))
    if let sharing { why += " \(sharing.text)." }
    let text = SnippetText.dedupe(owner.name, constraint)
    let answer = answer(unique: name)
    if answer == nil || answer?.text == text {
      let stage = LaterStage(text: text, why: why, isOffered: answer == nil)
      if !stages.contains(where: { $0.text == text }) { stages.append(stage) }
    }
    let members = family.filter { !$0.isAbstract }
    let isOne = Set(members.map(\.target)).count == 1
    let script = isOne ? nil : add(distinct: first, of: owner, members, why)
    let found: [StepNeeds.Answer?] = [
      script,
      .init(
        .stage, text,
        isOne
          ? "of the objects that have the same, one stays"
          : "merges only objects of the same entity: others that have the same still end the run"),
      .init(.leave, "", "nothing, if no two have the same: a run refuses them"),
    ]
    let all = found.compactMap(\.self)
    add(decision: name, why, sharing?.isNone == true ? all.reversed() : all, isUnique: true)
  }

  /// Has scripts make the texts of a property differ, for objects of several entities: those are
  /// never merged.
  private mutating func add(
    distinct property: String, of owner: Entity, _ objects: [ObjectMapping], _ why: String
  ) -> StepNeeds.Answer? {
    let name = "\(owner.name).\(property)"
    guard let attribute = target.attribute(property, of: owner.name), attribute.type == .string
    else { return nil }
    var entities: [String: [String]] = [:]
    for object in objects.sorted(by: { $0.source < $1.source }) {
      guard let old = object.attribute(named: property)?.source, Self.parameter(old) == old else {
        return nil
      }
      let value = Value(
        attribute: attribute, parameters: [old, "ctx"], why: why,
        body: "return \(old) and \(old) .. \" \" .. ctx.key()",
        isOffered: answer(unique: name)?.kind != .script)
      add(value, to: object.source)
      entities[value.function, default: []].append(object.source)
    }
    guard let (text, names) = entities.first, entities.count == 1 else { return nil }
    return .init(
      .script, text,
      "in the script of \(names.joined(separator: ", ")); only the objects that share one need it")
  }

  /// The default of a new attribute would be that of all objects.
  private mutating func settle(
    constant property: String, of owner: Entity, _ entity: Entity, _ object: ObjectMapping
  ) {
    let name = "\(owner.name).\(property)"
    guard let attribute = target.attribute(property, of: entity.name),
      let own = identity(of: attribute, object.source)
    else { return }
    let why = "It is new and unique, and its default would be that of all objects."
    let value = Value(
      attribute: attribute, parameters: ["ctx"], why: why, body: "return \(own)",
      isOffered: answer(unique: name)?.kind != .script)
    add(value, to: object.source)
    add(
      decision: name, why,
      [
        .init(.script, value.function, "in the script of \(object.source)"),
        .init(.leave, "", "nothing, if there is one object at most: a run refuses more"),
      ], isUnique: true)
  }

  /// What the user has answered to the question that is about unique values.
  private func answer(unique name: String) -> StepNeeds.Answer? {
    let decision = StepNeeds.Decision(
      step: target.name, name: name, why: "", isUnique: true, answers: [])
    return answers[decision.key]
  }
}
