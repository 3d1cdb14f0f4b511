internal import CoreDataStore

/// Finds names in a pipeline file that mean nothing.
///
/// A file may serve several versions: what one of the others has is no mistake, it only has no
/// effect here.
struct InstructionCheck {
  /// The mistakes, in the order of the instructions.
  private(set) var problems: [MappingProblem] = []

  private let context: MappingContext
  private let others: [Model]

  init(_ context: MappingContext, others: [Model]) {
    (self.context, self.others) = (context, others)
    let instructions = context.instructions
    for rename in instructions.renames { check(rename) }
    for map in instructions.maps { check(map) }
    checkTwice(instructions.maps)
    for drop in instructions.drops { checkDrop(drop) }
    for filter in instructions.filters { check(filter) }
    for choice in instructions.choices {
      checkRelationship(choice.relationship, "one", choice.line)
    }
    for name in instructions.undecided { checkEither(name) }
    // A flag may be given for several files, of which not each has what it names.
    for loss in instructions.acceptedLosses
    where loss.line != nil && loss.name != MappingInstructions.mirror { check(loss) }
  }

  private mutating func report(_ subject: String, _ why: String, _ line: Int?) {
    problems.append(MappingProblem(.instruction, subject, why: why, line: line))
  }

  private mutating func unknown(
    _ what: String, _ name: String, among names: [String], in word: String, _ line: Int?
  ) {
    let nearest = NearestName.suggestion(for: name, among: names)
    report(word, "\(what) \(name)\(nearest)\(nearest.isEmpty ? "." : "")", line)
  }
}

// Names of the source.
extension InstructionCheck {
  /// The properties of an entity whose values are stored.
  private static func stored(
    of entity: Entity, in model: Model
  ) -> (attributes: [String], relationships: [String]) {
    (
      model.allAttributes(of: entity).filter(\.isStored).map(\.name),
      model.allRelationships(of: entity).filter { !$0.isTransient }.map(\.name)
    )
  }

  /// Whether an entity has a property of this name whose values are stored.
  private static func has(_ name: String, _ entity: Entity, in model: Model, _ kinds: Kinds) -> Bool
  {
    kinds.attributes && model.attribute(named: name, of: entity)?.attribute.isStored == true
      || kinds.relationships
        && model.relationship(named: name, of: entity)?.relationship.isTransient == false
  }

  /// Which kinds of properties a name may be of.
  private typealias Kinds = (attributes: Bool, relationships: Bool)

  /// Whether another version that the file serves has this.
  private func isElsewhere(_ entity: String, _ property: String? = nil) -> Bool {
    others.contains { model in
      guard let found = model.entity(named: entity) else { return false }
      return property.map { Self.has($0, found, in: model, (true, true)) } ?? true
    }
  }

  /// The entities that a name means; reports the name that means none.
  private mutating func entities(
    _ name: String, _ word: String, _ line: Int?, orTargets: Bool
  ) -> [Entity] {
    let found =
      orTargets
      ? context.sourceEntities(named: name)
      : [context.source.entity(named: name)].compactMap(\.self)
    if found.isEmpty, !isElsewhere(name),
      !orTargets || context.target.entity(named: name) == nil
    {
      let names = context.source.entities.map(\.name)
      let owners = context.source.entities.filter {
        $0.attribute(named: name) != nil || $0.relationship(named: name) != nil
      }
      guard owners.isEmpty || NearestName.of(name, among: names) != nil else {
        let properties = owners.prefix(3).map { "\($0.name).\(name)" }
        let why = "The source has no entity \(name); a property is named with its entity: "
        report(word, why + properties.joined(separator: ", ") + ".", line)
        return found
      }
      unknown("The source has no entity", name, among: names, in: word, line)
    }
    return found
  }

  private mutating func checkProperty(
    _ name: String, of entities: [Entity], _ word: String, _ line: Int?,
    kinds: Kinds = (true, true)
  ) {
    let model = context.source
    guard let first = entities.first, !isElsewhere(first.name, name),
      !entities.contains(where: { Self.has(name, $0, in: model, kinds) })
    else { return }
    let names = entities.flatMap { entity in
      let stored = Self.stored(of: entity, in: model)
      return (kinds.attributes ? stored.attributes : [])
        + (kinds.relationships ? stored.relationships : [])
    }
    let parts = entities.lazy.map { model.parts(of: name, in: $0) }.first { !$0.isEmpty } ?? []
    guard parts.isEmpty else {
      // A composite attribute can be dropped as a whole; the other rules must name its parts.
      guard !["drop", "accept_loss", "undecided"].contains(word) else { return }
      let list = parts.map { "\(name).\($0)" }.joined(separator: ", ")
      return report(word, "\(name) is a composite attribute; name its parts: \(list).", line)
    }
    let kind =
      kinds.attributes ? (kinds.relationships ? "property" : "attribute") : "relationship"
    unknown("The source's \(first.name) has no stored \(kind)", name, among: names, in: word, line)
  }

  /// A name of an entity, or of a property after a point.
  private mutating func checkSource(_ name: String, _ word: String, _ line: Int?) {
    guard let parts = MappingContext.parts(of: name) else {
      _ = entities(name, word, line, orTargets: word == "accept_loss")
      return
    }
    let found = entities(parts.entity, word, line, orTargets: true)
    checkProperty(parts.property, of: found, word, line)
  }

  /// What is given up; there is nothing to give up of what is new.
  private mutating func checkDrop(_ drop: NamedInstruction) {
    let parts = MappingContext.parts(of: drop.name)
    let name = parts?.entity ?? drop.name
    let olds = context.sourceEntities(named: name)
    let isNew = context.target.entity(named: name).map { entity in
      guard let property = parts?.property else { return olds.isEmpty }
      return Self.has(property, entity, in: context.target, (true, true))
        && !olds.contains { Self.has(property, $0, in: context.source, (true, true)) }
        && olds.allSatisfy { context.source.parts(of: property, in: $0).isEmpty }
    }
    guard isNew == true, !isElsewhere(name, parts?.property) else {
      return checkSource(drop.name, "drop", drop.line)
    }
    report(
      "drop",
      "\(drop.name) is a name of the target, and drop gives up what the source has. Write the "
        + "source's name for it; if it is new, take it out of the rule.", drop.line)
  }

  /// A name of an entity, or of a property after a point, of either version.
  private mutating func checkEither(_ name: NamedInstruction) {
    let parts = MappingContext.parts(of: name.name)
    if let entity = context.target.entity(named: parts?.entity ?? name.name) {
      guard let property = parts?.property else { return }
      let isThere =
        Self.has(property, entity, in: context.target, (true, true))
        || !context.target.parts(of: property, in: entity).isEmpty
      guard !isThere else { return }
      guard context.source.entity(named: entity.name) != nil else {
        let stored = Self.stored(of: entity, in: context.target)
        return unknown(
          "The target's \(entity.name) has no stored property", property,
          among: stored.attributes + stored.relationships, in: "undecided", name.line)
      }
    }
    checkSource(name.name, "undecided", name.line)
  }

  /// A name or a pattern of what may be lost: whatever stands there without a `*` has to be there.
  private mutating func check(_ loss: NamedInstruction) {
    guard let parts = MappingContext.parts(of: loss.name), !parts.entity.contains("*") else {
      if !loss.name.contains("*") { checkSource(loss.name, "accept_loss", loss.line) }
      return
    }
    let found = entities(parts.entity, "accept_loss", loss.line, orTargets: true)
    let isOfRows =
      parts.property == MappingInstructions.strays && found.allSatisfy { $0.parent == nil }
    guard !isOfRows, !parts.property.contains("*") else { return }
    checkProperty(parts.property, of: found, "accept_loss", loss.line)
  }

  /// A relationship by its name before or after.
  private mutating func checkRelationship(_ name: String, _ word: String, _ line: Int?) {
    guard let parts = MappingContext.parts(of: name) else {
      return report(word, "\"\(name)\" is no relationship; write \"Entity.relationship\".", line)
    }
    if let entity = context.target.entity(named: parts.entity),
      context.target.relationship(named: parts.property, of: entity) != nil
    {
      return
    }
    let found = entities(parts.entity, word, line, orTargets: true)
    checkProperty(parts.property, of: found, word, line, kinds: (false, true))
  }

  private mutating func check(_ filter: ObjectFilter) {
    _ = entities(filter.entity, "where", filter.line, orTargets: true)
    guard filter.condition.allSatisfy(\.isWhitespace) else { return }
    report("where", "The condition for \(filter.entity) is empty.", filter.line)
  }
}

// Names of both.
extension InstructionCheck {
  private mutating func targetEntity(_ name: String, _ word: String, _ line: Int?) -> Entity? {
    if let entity = context.target.entity(named: name) { return entity }
    let names = context.target.entities.map(\.name)
    unknown("The target has no entity", name, among: names, in: word, line)
    return nil
  }

  /// Two values of one attribute, of which one alone would count.
  ///
  /// What a script says is compared with the file by the plan.
  private mutating func checkTwice(_ maps: [EntityMap]) {
    var known: [[String?]: EntityMap] = [:]
    for map in maps where !map.isOfScript {
      for (attribute, value) in map.attributes.sorted(by: { $0.key < $1.key }) {
        let place = [map.entity, map.source, attribute]
        guard let first = known.updateValue(known[place] ?? map, forKey: place),
          first.attributes[attribute] != value
        else { continue }
        let line = first.line.map { ", in line \($0)" } ?? ""
        report(
          "map",
          "\(map.entity).\(attribute) has another value already\(line), and one alone would "
            + "count. Take one out, or name the source entity of each with from.", map.line)
      }
    }
  }

  private mutating func check(_ rename: EntityRename) {
    let line = rename.line
    if let newName = rename.newName, context.source.entity(named: rename.entity) == nil,
      context.target.entity(named: newName) == nil, context.source.entity(named: newName) != nil,
      context.target.entity(named: rename.entity) != nil
    {
      return report(
        "rename",
        "The names stand the wrong way round: "
          + SnippetText.rename(newName, to: rename.entity) + ".", line)
    }
    let target = rename.newName.flatMap { targetEntity($0, "rename", line) }
    guard let source = entities(rename.entity, "rename", line, orTargets: false).first else {
      return
    }
    let became = context.entities.targets[source.name].flatMap(context.target.entity(named:))
    for (old, new) in rename.properties.sorted(by: { $0.key < $1.key }) {
      checkProperty(old, of: [source], "rename", line)
      guard let entity = target ?? became,
        !Self.has(new, entity, in: context.target, (true, true))
      else { continue }
      let names = Self.stored(of: entity, in: context.target)
      unknown(
        "The target's \(entity.name) has no stored property", new,
        among: names.attributes + names.relationships, in: "rename", line)
    }
    let doubled = Dictionary(grouping: rename.properties, by: \.value).filter { $0.value.count > 1 }
    for name in doubled.keys.sorted() {
      report("rename", "Several properties of \(rename.entity) become \(name).", line)
    }
  }

  private mutating func check(_ map: EntityMap) {
    guard let target = targetEntity(map.entity, "map", map.line) else { return }
    var sources = context.target.descendants(of: target)
      .flatMap { context.entities.sources[$0.name, default: []] }
      .compactMap(context.source.entity(named:))
    if let name = map.source {
      sources = entities(name, "map", map.line, orTargets: false)
    }
    for (name, value) in map.attributes.sorted(by: { $0.key < $1.key }) {
      if !Self.has(name, target, in: context.target, (true, false)) {
        unknown(
          "The target's \(target.name) has no stored attribute", name,
          among: Self.stored(of: target, in: context.target).attributes, in: "map", map.line)
      }
      check(value, of: sources, map.line)
    }
  }

  private mutating func check(_ value: EntityMap.Value, of sources: [Entity], _ line: Int?) {
    switch value {
    case .constant: return
    case .from(let name): checkProperty(name, of: sources, "map", line, kinds: (true, false))
    case .convert(let name, let type):
      checkProperty(name, of: sources, "map", line, kinds: (true, false))
      guard case .unknown(let word) = type else { return }
      unknown(
        "There is no type", word, among: AttributeType.allCases.map(\.name), in: "map", line)
    }
  }
}
