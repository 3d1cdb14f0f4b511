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
  }

  /// A relationship that must lead to an object, and nothing says to which.
  struct Link: Hashable {
    let relationship: Relationship
    /// The entity whose objects are made for it.
    let destination: Entity
    /// Why it cannot be inferred.
    let why: String
  }

  private(set) var rules: [Rule] = []
  /// What scripts make, by the source's entity.
  private(set) var scripts: [String: [Value]] = [:]
  /// What scripts have to link, by the source's entity.
  private(set) var links: [String: [Link]] = [:]
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
    links[entity] != nil || (scripts[entity]?.isEmpty ?? false)
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

  /// Has scripts make an attribute, for every entity whose objects come to have it.
  private mutating func add(_ attribute: Attribute, of owner: String, _ why: String) {
    for object in mapping.objects where !object.isAbstract {
      guard let entity = target.entity(named: object.target),
        let ancestor = target.entity(named: owner),
        target.entity(entity, inheritsFrom: ancestor)
      else { continue }
      let old = object.attribute(named: attribute.name)?.source
      let own = source.attribute(attribute.name, of: object.source)?.name
      let parameter = (old ?? own).flatMap { LuaText.key($0) == $0 ? $0 : nil }
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
    }
    if said.sourceExpression != nil {
      notes[old, default: []].append(
        "The mapping model chooses its objects by an expression of its own; 'where' in the "
          + "pipeline file, or ctx.skip, does so here.")
    }
    for property in said.attributes where property.isExplicit {
      take(property, said, entity)
    }
    for property in said.relationships {
      if case .other(let expression) = property.value {
        notes[old, default: []].append("\(property.name) came of \(expression.text)")
      }
    }
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
    case .source(let name):
      let inferred = mapping.objects(from: old)?.attribute(named: said.name)?.source
      if inferred != name { add(map("from \(LuaText.quoted(name))")) }
    case .constant(let constant):
      if let text = constant.luaText {
        add(map(text))
      } else {
        add(Value(attribute: attribute, parameter: nil, why: why), to: old)
      }
    case .other(let expression):
      let own = source.attribute(said.name, of: old)?.name
      add(
        Value(
          attribute: attribute, parameter: own.flatMap { LuaText.key($0) == $0 ? $0 : nil },
          why: "In the mapping model: \(expression.text)"), to: old)
    case .none: return
    }
  }
}

extension ModelExpression {
  /// The expression on one line, as far as it can be written.
  fileprivate var text: String { "\(self)".oneLine }
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
