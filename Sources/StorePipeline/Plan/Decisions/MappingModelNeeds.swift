internal import CoreDataStore
internal import Foundation
internal import StoreMigration

// What a mapping model says.
extension StepNeeds {
  mutating func take(_ said: EntityMapping) {
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
        "The mapping model names the policy class \(policy) for this entity. What its methods did "
          + "belongs in hooks (see the page \"Coming from NSEntityMigrationPolicy\").")
      scripts[old] = scripts[old] ?? []
      policies[old] = policy
      stub(old, "The mapping model names the policy class \(policy), whose code is not in it.")
    }
    if let expression = said.sourceExpression { take(choice: expression, old) }
    for property in said.attributes where property.isExplicit {
      take(property, said, entity)
    }
    for property in said.relationships where property.isExplicit {
      take(link: property, said, entity)
    }
  }

  /// Has the user write what cannot be translated; the script ends the run until then.
  private mutating func stub(_ name: String, _ why: String) {
    stubs += 1
    let text = "write what it did into the script, in place of error(...)"
    add(decision: name, why, [.init(.stub, "", text)])
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
      stub(old, "The mapping model chooses its objects: \(expression.text)")
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
        stub("\(entity.name).\(name)", why)
        return add(relation: why, [LuaText.stub("what leads to \(name)")], to: old)
      }
      add(relation: why, lines, to: old)
    case .constant, .other:
      stub("\(entity.name).\(name)", "In the mapping model it came from \(said.text).")
      add(
        relation: "In the mapping model \(name) came from \(said.text)",
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
      if value == nil {
        stub("\(entity.name).\(said.name)", "In the mapping model it was $source.\(path).")
      }
      add(
        Value(
          attribute: attribute, parameters: [value?.parameter].compactMap(\.self), why: why,
          body: value?.text ?? LuaText.stub("what $source.\(path) is"), isSaid: true),
        to: old)
    case .source(let name):
      let inferred = mapping.objects(from: old)?.attribute(named: said.name)?.source
      if inferred != name { add(map("from \(LuaText.quoted(name))")) }
    case .constant(let constant):
      if let text = constant.luaText {
        add(map(text))
      } else {
        let body = constant == .null ? "return nil" : LuaText.stub("the constant of \(said.name)")
        if constant != .null {
          stub("\(entity.name).\(said.name)", "The mapping model has a constant for it.")
        }
        add(
          Value(attribute: attribute, parameters: [], why: why, body: body, isSaid: true), to: old)
      }
    case .other(let expression):
      let own = source.attribute(said.name, of: old)?.name
      stub("\(entity.name).\(said.name)", "In the mapping model: \(expression.text)")
      add(
        Value(
          attribute: attribute, parameters: [own.flatMap(Self.parameter)].compactMap(\.self),
          why: "In the mapping model: \(expression.text)",
          body: LuaText.stub("what \(expression.text) did"), isSaid: true), to: old)
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
