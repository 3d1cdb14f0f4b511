internal import CoreDataStore
internal import StoreMigration

/// The text of the tests of a new pipeline: a case and a property for each script, and a store with
/// one object of each entity that goes through all of it.
struct ScaffoldTest {
  private let pipeline: String
  private let steps: [ScaffoldStep]
  /// Of each step, the number of each entity among those of its table, where there are several.
  private let numbers: [[String: Int]]
  /// Of each step, the attributes of each entity, as Lua writes them, that may be renamed once that
  /// is decided: the new one may have to have a value.
  private let renamings: [[String: Set<String>]]

  init(_ pipeline: String, _ steps: [ScaffoldStep]) {
    (self.pipeline, self.steps) = (pipeline, steps)
    numbers = steps.map { Self.numbers(in: $0.needs.source) }
    renamings = steps.map { Self.renamings(in: $0.needs) }
  }

  private static func renamings(in needs: StepNeeds) -> [String: Set<String>] {
    let start = "rename { entity = \""
    var found: [String: Set<String>] = [:]
    for answer in needs.answers.values where answer.kind == .rule && answer.text.hasPrefix(start) {
      let entity = String(answer.text.dropFirst(start.count).prefix { $0 != "\"" })
      let words = answer.text.split(separator: " ")
      for (word, next) in zip(words, words.dropFirst()) where next == "=" {
        found[entity, default: []].insert(String(word))
      }
    }
    return found
  }

  private static func numbers(in model: Model) -> [String: Int] {
    let families = model.entities.filter { $0.parent == nil }.map { root in
      model.family(of: root).filter { !$0.isAbstract }
    }
    let pairs = families.filter { $0.count > 1 }.flatMap { $0.map(\.name).enumerated() }
    return Dictionary(pairs.map { ($1, $0) }) { first, _ in first }
  }

  var text: String {
    let cases = steps.flatMap { step in
      step.needs.scripts.keys.sorted().filter { !step.needs.isUnwritten($0) }
        .map { tests(of: $0, step) }
    }
    let parts = ["-- Run with: pipeline test"] + cases + [migration]
    let lines = parts.joined(separator: "\n\n")
      .split(separator: "\n", omittingEmptySubsequences: false)
    return lines.flatMap { Self.wrapped(String($0)) }.joined(separator: "\n") + "\n"
  }

  /// A long line of code, or of code in a comment, in several.
  private static func wrapped(_ line: String) -> [String] {
    guard line.count > 100 else { return [line] }
    let sign = line.hasPrefix("-- ") ? "-- " : ""
    let start = sign + String(line.dropFirst(sign.count).prefix { $0 == " " })
    let code = String(line.dropFirst(start.count)).wrappedCode(to: 98 - start.count)
    return code.enumerated().map { start + ($0 == 0 ? "" : "  ") + $1 }
  }

  /// The tests of a script; while all that it has are comments, so are they.
  private func tests(of entity: String, _ step: ScaffoldStep) -> String {
    let values = step.needs.scripts[entity] ?? []
    let isOpen = values.allSatisfy(\.isOffered) && !step.needs.makesObjects(entity)
    let meant = values.filter { $0.isOffered == isOpen }
    // Of several functions one is taken: what the others give back is not expected.
    let computed = Set(meant.lazy.filter { $0.body != nil }.map(\.attribute.name))
    let expected = meant.filter { !computed.contains($0.attribute.name) }.map {
      "\(LuaText.key($0.attribute.name)) = \($0.example.expected)"
    }
    let text = """
      script \(LuaText.quoted(step.script(entity))) {
        entity = \(LuaText.quoted(entity)), pipeline = \(LuaText.quoted(pipeline)),
      }

      case \(LuaText.quoted("one \(entity)")) {
        given = \(Self.table(given(entity, from: step))),
        expect = \(expectation(entity, expected, step.needs)),
      }
      """ + property(entity, step.needs)
    guard isOpen else { return text }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return (["For a function in the script:"] + lines)
      .map { $0.isEmpty ? "--" : "-- " + $0 }.joined(separator: "\n")
  }

  /// A test with unusual values; a conversion may fail at those that it does not take.
  ///
  /// There is none where objects without a value are refused, because nothing gives them one.
  private func property(_ entity: String, _ needs: StepNeeds) -> String {
    let object = needs.mapping.objects(from: entity)
    let attributes = object?.attributes ?? []
    let refuses = attributes.contains { attribute in
      guard case .source(let name, _) = attribute.origin, attribute.replacement == nil else {
        return false
      }
      return needs.source.attribute(name, of: entity)?.isOptional == true
        && needs.target.attribute(attribute.name, of: object?.target ?? entity)?.isOptional == false
    }
    guard !refuses else { return "" }
    let texts = allowed(entity, needs, attributes).map(LuaText.quoted)
    let allow =
      texts.count > 1 ? ", allow = \(Self.table(texts))" : texts.map { ", allow = \($0)" }.joined()
    return "\n\nproperty \(LuaText.quoted("no \(entity) is refused")) { objects = 50\(allow) }"
  }

  /// What a script may say of values that it is right to refuse.
  private func allowed(
    _ entity: String, _ needs: StepNeeds, _ attributes: [AttributeMapping]
  ) -> [String] {
    let values = needs.scripts[entity] ?? []
    let mayFail =
      values.contains { $0.text != nil || $0.body?.contains(StepNeeds.unconvertible) == true }
      || needs.examples.keys.contains { $0.hasPrefix("\(entity).") }
      || attributes.contains { attribute in
        guard case .source(_, let conversion?) = attribute.origin else { return false }
        return conversion.canFail
      }
    let given =
      values.flatMap(\.parameters) + (needs.links[entity] ?? []).flatMap { $0.values.values }
    // A number of the store may be infinite, or too large for another attribute.
    let mayMisfit = given.contains {
      needs.source.attribute($0, of: entity)?.type.facts.isNumber == true
    }
    return (mayFail ? [StepNeeds.unconvertible] : [])
      + (mayMisfit ? ["was given a number that is"] : [])
  }

  /// What a script makes of an object without links; one without any value would be taken for none.
  private func expectation(
    _ entity: String, _ values: [String], _ needs: StepNeeds
  ) -> String {
    let own = needs.mapping.objects(from: entity)?.target ?? entity
    // Where nothing else is offered, what the test is for is `create`.
    let isCreate = !needs.makesObjects(entity) && needs.scripts[entity]?.isEmpty != false
    let links = needs.entitiesMade(for: entity) { link in
      let needsLink =
        link.values.isEmpty && !link.carried.isEmpty && link.relationship.isOptional
      return (isCreate || !link.isOffered) && link.each == nil && !needsLink
    }
    guard values.isEmpty || !links.isEmpty else { return Self.table(values) }
    var made = [own: [Self.table(values)]]
    for name in links { made[name, default: []].append("{}") }
    return Self.table(
      made.sorted { $0.key < $1.key }.map { name, objects in
        "\(LuaText.key(name)) = { \(objects.joined(separator: ", ")) }"
      })
  }

  private static func table(_ fields: [String]) -> String {
    fields.isEmpty ? "{}" : "{ \(fields.joined(separator: ", ")) }"
  }

  /// The values that an object must have at the beginning of a step, so that it arrives.
  private func given(_ entity: String, from step: ScaffoldStep) -> [String] {
    let source = step.needs.source
    guard let found = source.entity(named: entity),
      let place = steps.firstIndex(where: { $0.target.name == step.target.name })
    else { return [] }
    let wanted = mandatoryAttributes(of: entity, steps[place...])
      .union(step.needs.moved(from: entity))
    let renamed = renamings[place][entity] ?? []
    let object = step.needs.mapping.objects(from: entity)
    let attributes = source.allAttributes(of: found).filter { attribute in
      attribute.isStored && attribute.derivation == nil
        && (!attribute.isOptional && attribute.defaultValue == nil
          || wanted.contains(attribute.name)
          || object?.fate(of: attribute.name) == .dropped(isDeclared: false)
          || renamed.contains(LuaText.key(attribute.name)))
    }
    let examples = { (name: String) in step.needs.examples[name] ?? [] }
    // Objects of one table must differ where the model wants them to.
    let number = numbers[place][entity]
    let texts = Dictionary(
      (step.needs.scripts[entity] ?? []).flatMap { value in
        value.parameters.filter { !value.isOffered || examples("\(entity).\($0)").isEmpty }
          .map { ($0, value.text) }
      }
    ) { first, _ in first }
    return attributes.compactMap { attribute in
      // No text suits conversions to several types: the object has none.
      if attribute.isOptional, texts[attribute.name] == nil,
        examples("\(entity).\(attribute.name)").count > 1
      {
        return nil
      }
      let value =
        (texts[attribute.name] ?? nil)
        ?? textExample(of: attribute, of: entity, steps[place...])
        ?? number.flatMap(attribute.example(numbered:)) ?? attribute.typeExample()
      return "\(LuaText.key(attribute.name)) = \(value)"
    }
  }

  /// A text that some later version can convert, where one does; nil for any other attribute.
  private func textExample(
    of attribute: Attribute, of entity: String, _ rest: ArraySlice<ScaffoldStep>
  ) -> String? {
    guard attribute.type == .string, let step = rest.first else { return nil }
    guard let object = step.needs.mapping.objects(from: entity),
      let mapping = object.attributes.first(where: { $0.source == attribute.name })
    else {
      return step.needs.examples["\(entity).\(attribute.name)"]?.min()
        ?? movedExample(of: attribute, of: entity, rest)
    }
    guard case .source(_, let conversion?) = mapping.origin else {
      let new = step.target.attribute(mapping.name, of: object.target)
      return new.flatMap { textExample(of: $0, of: object.target, rest.dropFirst()) }
    }
    return conversion.target.convertibleText
  }

  /// The same for an attribute whose values a script may move to a new object.
  private func movedExample(
    of attribute: Attribute, of entity: String, _ rest: ArraySlice<ScaffoldStep>
  ) -> String? {
    guard let step = rest.first else { return nil }
    return step.needs.links[entity, default: []].lazy.compactMap { link in
      let place = link.values.first { $0.value == attribute.name }?.key
      return place.flatMap { step.target.attribute($0, of: link.destination.name) }
        .flatMap { textExample(of: $0, of: link.destination.name, rest.dropFirst()) }
    }.first
  }

  /// The attributes that have to have a value in some later version.
  private func mandatoryAttributes(
    of entity: String, _ rest: ArraySlice<ScaffoldStep>
  ) -> Set<String> {
    guard let step = rest.first, let object = step.needs.mapping.objects(from: entity) else {
      return []
    }
    let later = mandatoryAttributes(of: object.target, rest.dropFirst())
    return Set(
      object.attributes.compactMap { mapping in
        guard let source = mapping.source else { return nil }
        let new = step.target.attribute(mapping.name, of: object.target)
        let isMandatory = new?.isOptional == false && new?.defaultValue == nil
        return isMandatory || later.contains(mapping.name) ? source : nil
      })
  }

  private var migration: String {
    guard let first = steps.first else { return "" }
    let entities = first.needs.source.entities.filter { !$0.isAbstract }
    let lines = entities.map { entity in
      let fields = given(entity.name, from: first) + links(entity, first)
      return "    \(LuaText.key(entity.name)) = { one = \(Self.table(fields)) },"
    }
    let expected = arrivals.map { "    \(LuaText.key($0)) = { {} },\n" }.joined()
    return """
      migration "one object of each entity" {
        pipeline = \(LuaText.quoted(pipeline)),
        store = {
      \(lines.joined(separator: "\n"))
        },
        expect = {\(expected.isEmpty ? "" : "\n\(expected)  ")},
      }
      """
  }

  /// Relationships that are mandatory, now or in a later version, lead to the one object there is.
  private func links(_ entity: Entity, _ first: ScaffoldStep) -> [String] {
    let source = first.needs.source
    let mandatory = mandatoryLinks(of: entity.name, steps[...])
    return source.allRelationships(of: entity).filter { link in
      !link.isTransient && (!link.isOptional || mandatory.contains(link.name))
    }.compactMap { link in
      guard let far = source.entity(named: link.destination),
        source.descendants(of: far).contains(where: { !$0.isAbstract })
      else { return nil }
      let one = "\"one\""
      return "\(LuaText.key(link.name)) = \(link.isToMany ? "{ \(one) }" : one)"
    }
  }

  /// The relationships that are mandatory in some later version.
  private func mandatoryLinks(
    of entity: String, _ rest: ArraySlice<ScaffoldStep>
  ) -> Set<String> {
    guard let step = rest.first, let object = step.needs.mapping.objects(from: entity),
      let new = step.target.entity(named: object.target)
    else { return [] }
    let later = mandatoryLinks(of: new.name, rest.dropFirst())
    return Set(
      step.target.allRelationships(of: new).compactMap { link in
        guard !link.isOptional || later.contains(link.name) else { return nil }
        return step.needs.origin(of: link, new)?.name
      })
  }

  /// The entities of the last version that get exactly one of these objects, whatever is decided:
  /// a script may make one more for a relationship.
  private var arrivals: [String] {
    guard let first = steps.first, let last = steps.last else { return [] }
    let start = first.needs.source.entities.filter { !$0.isAbstract }.map(\.name)
    let ends = steps.reduce(start.map(Optional.some)) { names, step in
      let made = step.needs.links.keys.flatMap { step.needs.entitiesMade(for: $0) }
      return names.map { $0.flatMap(step.needs.arrival) } + (made + made).map(Optional.some)
    }
    let counts = Dictionary(grouping: ends.compactMap(\.self)) { $0 }.mapValues(\.count)
    return last.target.entities.filter { !$0.isAbstract }.map(\.name).filter { counts[$0] == 1 }
  }
}

extension StepNeeds {
  /// Whether a script ends the run until it is written, or does what a case cannot show.
  fileprivate func isUnwritten(_ entity: String) -> Bool {
    let values = scripts[entity] ?? []
    return policies[entity] != nil || relations[entity] != nil
      || links[entity]?.contains {
        !$0.isOffered && !made(for: $0, of: entity).unwritten.isEmpty
      } == true
      || values.contains(where: \.isSaid)
  }

  /// The entity that an object becomes, where it is sure to arrive.
  fileprivate func arrival(of entity: String) -> String? {
    guard let object = mapping.objects(from: entity), !object.isAbstract,
      object.conditions.isEmpty, notes[entity] == nil,
      target.entity(named: object.target)?.isAbstract == false
    else { return nil }
    return object.target
  }
}

extension String {
  /// What a test expects for a value that a script gives.
  fileprivate var expected: String { self == "nil" ? "null" : self }
}

extension Attribute {
  /// A value that differs from those with other numbers, as Lua writes it.
  fileprivate func example(numbered number: Int) -> String? {
    switch type {
    case .string, .decimal: LuaText.quoted("\(number)")
    case .uri: LuaText.quoted("urn:\(number)")
    case .uuid: "uuid.named(\"\(number)\")"
    case .integer16, .integer32, .integer64, .double, .float, .date: "\(number)"
    default: nil
    }
  }
}
