internal import CoreDataStore
internal import Foundation
internal import StoreMigration

/// What a pipeline between two versions has to say because it cannot be inferred.
struct ScaffoldNeeds {
  /// A line of the pipeline file, and the reason for it.
  struct Rule: Hashable {
    /// The rule, as a pipeline file writes it.
    let text: String
    let why: String
  }

  /// An attribute whose value a script has to make.
  struct Value: Hashable {
    let attribute: Attribute
    /// The attribute of the source that it is made from, where there is one.
    let parameter: String?
    /// Why it cannot be inferred.
    let why: String
    /// What makes it, as Lua writes it; nil for a value to be replaced by a better one.
    var body: String?
  }

  /// A relationship that must lead to an object, and nothing says to which.
  struct Link: Hashable {
    let relationship: Relationship
    /// The entity whose objects are made for it.
    let destination: Entity
    /// Why it cannot be inferred.
    let why: String
  }

  /// A relationship that a mapping model fills, once all objects are there.
  struct Relation: Hashable {
    /// Why it cannot be inferred.
    let why: String
    /// The lines of a function that is given `object`, `source` and `ctx`.
    let lines: [String]
  }

  private(set) var rules: [Rule] = []
  /// What scripts make, by the source's entity.
  private(set) var scripts: [String: [Value]] = [:]
  /// What scripts have to link, by the source's entity.
  private(set) var links: [String: [Link]] = [:]
  /// What scripts link when all objects are there, by the source's entity.
  private(set) var relations: [String: [Relation]] = [:]
  /// The classes that made the objects in a mapping model, by the source's entity.
  private(set) var policies: [String: String] = [:]
  /// How many parts of a mapping model end the run until they are written.
  private(set) var stubs = 0
  /// What is said of a script beyond its values, by the source's entity.
  private(set) var notes: [String: [String]] = [:]
  /// What is still without an answer.
  private(set) var unsettled: [MappingProblem] = []
  /// The mapping as all of this makes it.
  private(set) var mapping: Mapping

  private let source: Model
  private let target: Model

  /// One answer may raise the next question; more rounds than this have never been needed.
  private static let rounds = 8

  /// Finds out what is needed; a mapping model, where there is one, has the first word.
  init(from source: Model, to target: Model, _ said: MappingModel? = nil) {
    (self.source, self.target) = (source, target)
    mapping = Mapping(from: source, to: target)
    for entity in said?.entities ?? [] { take(entity) }
    for _ in 0..<Self.rounds {
      mapping = Mapping(from: source, to: target, instructions: instructions)
      let before = (rules, scripts, links)
      for problem in mapping.problems { settle(problem) }
      settleConditions()
      if before == (rules, scripts, links) { break }
    }
    unsettled = mapping.problems
  }

  /// What the rules and scripts say, as the pipeline file's own reader takes it.
  private var instructions: MappingInstructions {
    let text = """
      pipeline "new" { format = 1, models = "m" }
      stage "detect" {} stage "open" {}
      stage "copy" { \(rules.map(\.text).joined(separator: ", ")) }
      stage "connect" {} stage "validate" {} stage "swap" {}
      """
    let file = PipelineFile(text, path: "new.pipeline")
    let pipeline = try? file.pipeline(checksFiles: false)
    let declarations = pipeline.map(StageRegistry.standard.declarations(of:))
    var instructions = declarations?.instructions ?? MappingInstructions()
    instructions.scripts = scripts.map { entity, values in
      ScriptClaim(
        entity: entity, attributes: Set(values.map(\.attribute.name)),
        reads: Set(values.compactMap(\.parameter)), makesObjects: makesObjects(entity))
    }
    return instructions
  }

  /// Whether an entity's script makes whole objects: to link them, or as a policy class did.
  func makesObjects(_ entity: String) -> Bool {
    links[entity] != nil || policies[entity] != nil
  }

  /// Whether an entity's script does something to whole objects.
  func hasHooks(_ entity: String) -> Bool { makesObjects(entity) || relations[entity] != nil }

  /// Gives what Core Data looks for in the objects: a migration ends at one that has none.
  private mutating func settleConditions() {
    for object in mapping.objects where !object.isAbstract {
      guard let entity = target.entity(named: object.target),
        let from = source.entity(named: object.source)
      else { continue }
      for attribute in target.allAttributes(of: entity) where attribute.isStored {
        guard let why = Self.condition(attribute, object, from, source) else { continue }
        add(attribute, of: entity.name, why)
      }
      for relationship in target.allRelationships(of: entity) where !relationship.isToMany {
        guard let why = condition(relationship, entity) else { continue }
        add(link: relationship.name, of: entity.name, why)
      }
    }
  }

  /// What must be true of the objects for an attribute.
  private static func condition(
    _ attribute: Attribute, _ object: ObjectMapping, _ from: Entity, _ source: Model
  ) -> String? {
    guard let mapping = object.attribute(named: attribute.name), mapping.replacement == nil else {
      return nil
    }
    switch mapping.origin {
    case .null: return InferenceRules.answer(adding: attribute).condition.map(sentence)
    case .source(let name, _):
      guard let old = source.attribute(named: name, of: from)?.attribute else { return nil }
      var alike = old
      alike.type = attribute.type
      return InferenceRules.answer(alike, attribute).condition.map(sentence)
    case .value, .script, .derivation: return nil
    }
  }

  private func condition(_ relationship: Relationship, _ entity: Entity) -> String? {
    guard let declared = target.relationship(named: relationship.name, of: entity)?.declaredBy
    else { return nil }
    let reference = PropertyReference(declared.name, relationship.name)
    let old = mapping.links(of: reference).lazy.flatMap { [$0.forward, $0.backward] }
      .first { $0.target == reference }?.source
      .flatMap { source.relationship($0.property, ofEntity: $0.entity) }
    let answer =
      old.map { InferenceRules.answer($0, relationship, isSameDestination: true) }
      ?? InferenceRules.answer(adding: relationship)
    return answer.condition.map(Self.sentence)
  }

  private static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + "."
  }

  private mutating func settle(_ problem: MappingProblem) {
    let parts = problem.subject.split(separator: ".", maxSplits: 1).map(String.init)
    let attribute = parts.count == 2 ? target.attribute(parts[1], of: parts[0]) : nil
    if problem.kind == .instruction {
      guard let attribute else { return }
      // What was said does not fit: a script can do it.
      rules.removeAll { $0.text.contains("\"\(parts[0])\"") && $0.text.contains(parts[1]) }
      return add(attribute, of: parts[0], problem.why)
    }
    let rule = problem.snippet.flatMap(Self.rule)
    if let attribute, problem.kind != .loss {
      // A change of type that may fail is better written out than left to a rule.
      let other = rule.map { "\nOr in the pipeline file: \($0)" }
      return add(attribute, of: parts[0], problem.why + (other ?? ""))
    }
    if let rule { return add(Rule(text: rule, why: problem.why)) }
    if parts.count == 2, problem.kind != .loss { add(link: parts[1], of: parts[0], problem.why) }
  }

  /// Has scripts make an object for a relationship to one, for every entity that has it.
  private mutating func add(link name: String, of owner: String, _ why: String) {
    guard let ancestor = target.entity(named: owner),
      let link = target.relationship(named: name, of: ancestor)?.relationship, !link.isToMany,
      let far = target.entity(named: link.destination),
      let destination = target.descendants(of: far).first(where: { !$0.isAbstract })
    else { return }
    for object in mapping.objects where !object.isAbstract {
      guard let entity = target.entity(named: object.target),
        target.entity(entity, inheritsFrom: ancestor),
        links[object.source]?.contains(where: { $0.relationship.name == name }) != true
      else { continue }
      scripts[object.source] = scripts[object.source] ?? []
      links[object.source, default: []].append(
        Link(relationship: link, destination: destination, why: why))
    }
  }

  /// The first rule that a problem's remedy names; nil when only a script will do.
  private static func rule(of snippet: String) -> String? {
    let first = snippet.components(separatedBy: ", or ")[0]
    return ["drop", "one", "map", "where", "rename"].contains { first.hasPrefix($0 + " {") }
      ? first : nil
  }

  private mutating func add(_ rule: Rule) {
    if !rules.contains(where: { $0.text == rule.text }) { rules.append(rule) }
  }

  /// The name of the parameter that receives the attribute: "place" for the part "place.city" of a
  /// composite attribute.
  private static func parameter(_ name: String) -> String? {
    let whole = String(name.prefix { $0 != "." })
    return LuaText.key(whole) == whole ? whole : nil
  }

  /// Has scripts make an attribute, for every entity whose objects come to have it.
  private mutating func add(_ attribute: Attribute, of owner: String, _ why: String) {
    for object in mapping.objects where !object.isAbstract {
      guard let entity = target.entity(named: object.target),
        let ancestor = target.entity(named: owner),
        target.entity(entity, inheritsFrom: ancestor)
      else { continue }
      let old = object.attribute(named: attribute.name)?.source
      let own = source.attribute(attribute.name, of: object.source)?.name
      let parameter = (old ?? own).flatMap(Self.parameter)
      add(Value(attribute: attribute, parameter: parameter, why: why), to: object.source)
    }
  }

  private mutating func add(_ value: Value, to entity: String) {
    guard scripts[entity]?.contains(where: { $0.attribute.name == value.attribute.name }) != true
    else { return }
    scripts[entity, default: []].append(value)
    scripts[entity]?.sort { $0.attribute.name < $1.attribute.name }
  }
}

// What a mapping model says.
extension ScaffoldNeeds {
  private mutating func take(_ said: EntityMapping) {
    guard let old = said.source else { return }
    guard let new = said.destination else {
      if target.entity(named: old) == nil { return }
      return add(Rule(text: "drop { \"\(old)\" }", why: "The mapping model leaves it behind."))
    }
    guard source.entity(named: old) != nil, let entity = target.entity(named: new) else { return }
    if mapping.objects(from: old)?.target != new {
      add(
        Rule(
          text: "rename { entity = \"\(old)\", to = \"\(new)\" }",
          why: "So says the mapping model, \(said.name)."))
    }
    if let policy = said.policyClass {
      notes[old, default: []].append(
        "\(policy) did this in the mapping model; its methods are hooks here (see the page "
          + "\"Coming from NSEntityMigrationPolicy\").")
      scripts[old] = scripts[old] ?? []
      policies[old] = policy
      stubs += 1
    }
    if let expression = said.sourceExpression { take(choice: expression, old) }
    for property in said.attributes where property.isExplicit {
      take(property, said, entity)
    }
    for property in said.relationships where property.isExplicit {
      take(link: property, said, entity)
    }
  }

  /// The objects that a mapping model chooses: all of them where its predicate is always true.
  private mutating func take(choice expression: ModelExpression, _ old: String) {
    switch MappingChoice(expression) {
    case .all: return
    case .predicate(let predicate):
      add(
        Rule(
          text: "where { entity = \"\(old)\", \(LuaText.quoted(predicate)) }",
          why: "So the mapping model chooses the objects."))
    case .other:
      add(
        relation: "The mapping model chooses its objects: \(expression.text)",
        [LuaText.stub("which objects of \(old) are taken")], to: old)
      stubs += 1
    }
  }

  private mutating func take(
    link said: PropertyMapping, _ mapped: EntityMapping, _ entity: Entity
  ) {
    guard let old = mapped.source,
      let link = target.relationship(named: said.name, of: entity)?.relationship
    else { return }
    let name = said.name
    switch said.value {
    case .none: return
    case .source(let path) where !path.contains("."):
      guard path != name, source.relationship(path, ofEntity: old) != nil else { return }
      add(
        Rule(
          text: "rename { entity = \"\(old)\", attributes = { \(LuaText.key(path)) = "
            + "\(LuaText.quoted(name)) } }",
          why: "So says the mapping model, \(mapped.name)."))
    case .source(let path):
      let why = "\(name) is what \(path) became, says the mapping model, \(mapped.name)."
      guard let lines = MappingPath(path, of: old, in: source)?.lines(for: link) else {
        stubs += 1
        return add(relation: why, [LuaText.stub("what leads to \(name)")], to: old)
      }
      add(relation: why, lines, to: old)
    case .constant, .other:
      stubs += 1
      add(
        relation: "In the mapping model \(name) came of \(said.text)",
        [LuaText.stub("what \(said.text) did for \(name)")], to: old)
    }
  }

  private mutating func add(relation why: String, _ lines: [String], to entity: String) {
    scripts[entity] = scripts[entity] ?? []
    relations[entity, default: []].append(Relation(why: why, lines: lines))
  }

  private mutating func take(_ said: PropertyMapping, _ mapped: EntityMapping, _ entity: Entity) {
    guard let old = mapped.source, let attribute = target.attribute(said.name, of: entity.name)
    else { return }
    let why = "So says the mapping model, \(mapped.name)."
    let map = { (value: String) in
      let key = LuaText.key(said.name)
      return Rule(
        text: "map { entity = \"\(entity.name)\", attributes = { \(key) = \(value) } }", why: why)
    }
    switch said.value {
    case .source(let path) where path.contains("."):
      let value = MappingPath(path, of: old, in: source)?.value
      if value == nil { stubs += 1 }
      add(
        Value(
          attribute: attribute, parameter: value?.parameter, why: why,
          body: value?.text ?? LuaText.stub("what $source.\(path) is")), to: old)
    case .source(let name):
      let inferred = mapping.objects(from: old)?.attribute(named: said.name)?.source
      if inferred != name { add(map("from \(LuaText.quoted(name))")) }
    case .constant(let constant):
      if let text = constant.luaText {
        add(map(text))
      } else {
        let body = constant == .null ? "return nil" : LuaText.stub("the constant of \(said.name)")
        if constant != .null { stubs += 1 }
        add(Value(attribute: attribute, parameter: nil, why: why, body: body), to: old)
      }
    case .other(let expression):
      let own = source.attribute(said.name, of: old)?.name
      stubs += 1
      add(
        Value(
          attribute: attribute, parameter: own.flatMap(Self.parameter),
          why: "In the mapping model: \(expression.text)",
          body: LuaText.stub("what \(expression.text) did")), to: old)
    case .none: return
    }
  }
}

extension ModelExpression {
  /// The expression on one line, as far as it can be written.
  fileprivate var text: String { "\(self)".oneLine }
}

extension PropertyMapping {
  /// What the mapping model says, on one line.
  fileprivate var text: String {
    switch value {
    case .source(let path): "$source.\(path)"
    case .constant(let constant): constant.luaText ?? "a constant"
    case .other(let expression): expression.text
    case .none: "nothing"
    }
  }
}

extension LuaText {
  /// A statement that ends the run until it is replaced by what belongs there.
  static func stub(_ what: String) -> String { "error(\(quoted("write \(what)")))" }
}

extension ModelConstant {
  /// The constant as Lua writes it; nil for one that Lua has no word for.
  var luaText: String? {
    switch self {
    case .boolean(let truth): "\(truth)"
    case .integer(let number): "\(number)"
    case .real(let number), .date(let number): number.isFinite ? "\(number)" : nil
    case .string(let text), .uri(let text): LuaText.quoted(text)
    case .decimal(let number): LuaText.quoted("\(number)")
    case .null, .uuid, .bytes, .object: nil
    }
  }
}

extension Model {
  /// A stored attribute of an entity, inherited or its own.
  func attribute(_ name: String, of entity: String) -> Attribute? {
    self.entity(named: entity).flatMap { attribute(named: name, of: $0)?.attribute }
      .flatMap { $0.isStored ? $0 : nil }
  }
}

/// Which objects a mapping model takes.
private enum MappingChoice: Equatable {
  case all
  /// Those that meet this.
  case predicate(String)
  /// Those that some other expression finds.
  case other

  /// What Xcode writes: `FETCH(FUNCTION($manager,
  /// "fetchRequestForSourceEntityNamed:predicateString:", "Note", "TRUEPREDICATE"), ...)`.
  init(_ expression: ModelExpression) {
    self = Self.found(in: expression) ?? .other
  }

  private static let selector = "fetchRequestForSourceEntityNamed:predicateString:"

  private static func found(in expression: ModelExpression) -> Self? {
    switch expression {
    case .message(to: _, let name, let arguments) where name == selector:
      guard case .constant(.string(let text))? = arguments.last else { return nil }
      return text == "TRUEPREDICATE" ? .all : .predicate(text)
    case .message(to: let receiver, _, let arguments):
      return ([receiver] + arguments).lazy.compactMap(found).first
    case .function(_, let arguments), .aggregate(let arguments):
      return arguments.lazy.compactMap(found).first
    case .unknown(let text, _) where text.contains("TRUEPREDICATE"): return .all
    case .constant, .keyPath, .itself, .variable, .path, .unknown: return nil
    }
  }
}
