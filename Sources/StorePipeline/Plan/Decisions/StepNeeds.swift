internal import CoreDataStore
internal import Foundation
internal import StoreMigration

/// What a pipeline between two versions has to say because it cannot be inferred, and what the
/// user alone can decide.
package struct StepNeeds {
  /// A line of the pipeline file, and the reason for it.
  struct Rule: Hashable {
    /// The rule, as a pipeline file writes it.
    let text: String
    let why: String
  }

  /// An attribute whose value a script has to make.
  struct Value: Hashable {
    let attribute: Attribute
    /// The properties of the source that it is made from, and `ctx`, as parameters.
    let parameters: [String]
    /// Why it cannot be inferred.
    let why: String
    /// What makes it, as Lua writes it; nil for a value to be replaced by a better one.
    var body: String?
    /// Whether it is an answer that the user has not chosen: the script has it as a comment.
    var isOffered = false
    /// Whether a mapping model says it.
    var isSaid = false
    /// The attribute of the source whose values it keeps, where there are any.
    var kept: String?
    /// What the attribute is in later versions.
    var later: [Attribute] = []
    /// A text that it makes a number of, as Lua writes it, where it refuses others.
    var text: String?
    /// What is said of it where it is offered.
    var note = ""

    /// What stands for a value until a better one is written.
    var example: String { attribute.example(later: later) }

    /// The function, as the script has it.
    var function: String {
      let code = LuaText.code(body ?? "return \(example)", hiddenBy: parameters)
      return "\(LuaText.key(attribute.name)) = function(\(parameters.joined(separator: ", "))) "
        + "\(code) end"
    }
  }

  /// A stage behind the copy, such as `dedupe`.
  struct LaterStage: Hashable {
    let text: String
    let why: String
    /// Whether the user has not chosen it: the pipeline file has it as a comment.
    let isOffered: Bool
  }

  /// A relationship that must lead to an object, and nothing says to which.
  struct Link: Hashable {
    let relationship: Relationship
    /// The entity whose objects are made for it.
    let destination: Entity
    /// The relationship of the source that it was: objects with a link keep it.
    let old: String?
    /// Why it cannot be inferred.
    let why: String
    /// Whether the user has not chosen it: the script has it as a comment.
    var isOffered: Bool
    /// What attributes of the source go into the new object, by its attributes.
    var values: [String: String] = [:]
    /// What relationships of the source go with it, by its own.
    var carried: [String: String] = [:]
    /// The attribute by which an object that is there already is found; nil for a new one each.
    var key: String?
    /// The relationship to many of the source that has an object made for each of its objects.
    var each: String?
  }

  /// A relationship that a mapping model fills, once all objects are there.
  struct Relation: Hashable {
    /// Why it cannot be inferred.
    let why: String
    /// The lines of a function that is given `object`, `source` and `ctx`.
    let lines: [String]
  }

  var rules: [Rule] = []
  /// What waits for the user, by the name that `undecided` lists, in the order it was found.
  var decisions: [StepNeeds.Decision] = []
  /// The keys of the decisions: there may be a thousand.
  private var listed: Set<String> = []
  /// The stages that follow the copy.
  var stages: [LaterStage] = []
  /// What scripts make, by the source's entity.
  var scripts: [String: [Value]] = [:]
  /// What scripts have to link, by the source's entity.
  var links: [String: [Link]] = [:]
  /// What scripts link when all objects are there, by the source's entity.
  var relations: [String: [Relation]] = [:]
  /// The classes that made the objects in a mapping model, by the source's entity.
  var policies: [String: String] = [:]
  /// How many parts of a mapping model end the run until they are written.
  var stubs = 0
  /// Texts that the conversions which are offered can take, by the source's attribute.
  var examples: [String: Set<String>] = [:]
  /// What is said of a script beyond its values, by the source's entity.
  var notes: [String: [String]] = [:]
  /// Relationships about which the decision about their inverse decides.
  var joined: Set<String> = []
  /// What is still without an answer.
  private(set) var unsettled: [MappingProblem] = []
  /// The mapping as all of this makes it.
  private(set) var mapping: Mapping
  /// What may have become what, by that mapping.
  private(set) var likely: LikelyRenamings

  let source: Model
  let target: Model
  /// The versions that further steps lead to.
  let later: [Model]
  /// What the user has answered, by the key of the decision.
  let answers: [String: StepNeeds.Answer]
  let samples: StepNeeds.Samples
  /// What a pipeline file and its scripts say already.
  private let said: MappingInstructions
  /// The rules that were written and cannot be.
  private var refused: Set<String> = []

  /// One answer may raise the next question; more rounds than this have never been needed.
  private static let rounds = 8

  /// Finds out what is needed beyond what a file and its scripts say; a mapping model, where there
  /// is one, has the first word.
  init(
    from source: Model, to target: Model, before later: [Model] = [],
    _ model: MappingModel? = nil, saying said: MappingInstructions = MappingInstructions(),
    answers: [String: StepNeeds.Answer] = [:],
    samples: StepNeeds.Samples = StepNeeds.Samples()
  ) {
    (self.source, self.target, self.later) = (source, target, later)
    (self.answers, self.samples, self.said) = (answers, samples, said)
    mapping = Mapping(from: source, to: target, instructions: said)
    likely = LikelyRenamings(source, target, samples, mapping, claims: said.scripts)
    for entity in model?.entities ?? [] { take(entity) }
    for (_, answer) in answers.sorted(by: { $0.key < $1.key }) where answer.kind == .rule {
      add(Rule(text: answer.text, why: "Your answer."))
    }
    let modelled = decisions
    for _ in 0..<Self.rounds {
      mapping = Mapping(from: source, to: target, instructions: instructions)
      likely = LikelyRenamings(source, target, samples, mapping, claims: said.scripts)
      let before = (rules, stages, scripts, links)
      forgetOffers()
      decisions = modelled.filter { !isSettled($0.key) }
      listed = Set(decisions.map(\.key))
      for problem in mapping.problems { settle(problem) }
      settleSplits()
      settleConditions()
      settleDistant()
      settleUniqueness()
      settleMade()
      if before == (rules, stages, scripts, links) { break }
    }
    let names = joined.union(decisions.map(\.name))
    unsettled = mapping.problems.filter { !names.contains($0.subject) }
  }

  /// Each round finds again what is to be offered: an answer may have settled more than its own
  /// decision.
  private mutating func forgetOffers() {
    examples = [:]
    stages.removeAll(where: \.isOffered)
    links = links.mapValues { $0.filter { !$0.isOffered } }.filter { !$0.value.isEmpty }
    scripts = scripts.mapValues { $0.filter { !$0.isOffered } }.filter { entity, values in
      !values.isEmpty || makesObjects(entity) || relations[entity] != nil
    }
  }

  /// Whether the user has answered, and nothing is left to be written.
  private func isSettled(_ key: String) -> Bool {
    answers[key].map { $0.kind != .stub } ?? false
  }

  /// What the file, the rules and the scripts say, as the pipeline file's own reader takes it.
  private var instructions: MappingInstructions {
    var instructions = said
    if !rules.isEmpty {
      let own = Self.instructions(rules.map(\.text))
      instructions.renames += own.renames
      instructions.maps += own.maps
      instructions.drops += own.drops
      instructions.filters += own.filters
      instructions.choices += own.choices
    }
    instructions.scripts += scripts.compactMap { entity, values in
      let chosen = values.filter { !$0.isOffered }
      guard !chosen.isEmpty || makesObjects(entity) else { return nil }
      return ScriptClaim(
        entity: entity, attributes: Set(chosen.map(\.attribute.name)),
        reads: Set(chosen.flatMap(\.parameters)), makesObjects: makesObjects(entity),
        mentions: Set(moved(from: entity)))
    }
    return instructions
  }

  private static func instructions(_ rules: [String]) -> MappingInstructions {
    let text = """
      pipeline "new" { format = 1, models = "m" }
      stage "detect" {} stage "open" {}
      stage "copy" { \(rules.joined(separator: ", ")) }
      stage "connect" {} stage "validate" {} stage "swap" {}
      """
    let pipeline = try? PipelineFile(text, path: "new.pipeline").pipeline(checksFiles: false)
    return pipeline.map(StageRegistry.standard.declarations(of:))?.instructions
      ?? MappingInstructions()
  }

  /// The properties of an entity that its script moves to other objects.
  func moved(from entity: String) -> [String] {
    (links[entity] ?? []).filter { !$0.isOffered }.flatMap {
      Array($0.values.values) + $0.carried.values
    }
  }

  /// Whether an entity's script makes whole objects: to link them, or as a policy class did.
  func makesObjects(_ entity: String) -> Bool {
    links[entity]?.contains { !$0.isOffered } == true || policies[entity] != nil
  }

  /// Adds what waits for the user, once.
  mutating func add(
    decision name: String, _ why: String, _ found: [StepNeeds.Answer],
    isUnique: Bool = false
  ) {
    var seen: Set<String> = []
    let different = found.filter { $0.text.isEmpty || seen.insert($0.text).inserted }
    let decision = StepNeeds.Decision(
      step: target.name, name: name, why: why.oneLine, isUnique: isUnique, answers: different)
    guard !listed.contains(decision.key), !isSettled(decision.key) else { return }
    listed.insert(decision.key)
    decisions.append(decision)
  }

  /// The answers with the one that leaves things as they are last, unless the store shows that
  /// nothing is to be done.
  func ranked(
    _ found: [StepNeeds.Answer], isMissing: Bool?
  ) -> [StepNeeds.Answer] {
    let left = found.filter { $0.kind == .leave }
    let others = found.filter { $0.kind != .leave }
    return isMissing == false ? left + others : others + left
  }

  mutating func add(_ rule: Rule) {
    if !rules.contains(where: { $0.text == rule.text }) { rules.append(rule) }
  }

  mutating func add(_ value: Value, to entity: String) {
    let name = value.attribute.name
    let values = scripts[entity] ?? []
    let known = Self.places(of: name, in: values)
    guard
      !values[known].contains(where: { !$0.isOffered || $0.function == value.function })
    else { return }
    if !value.isOffered { scripts[entity]?.removeSubrange(known) }
    let place = value.isOffered ? known.upperBound : known.lowerBound
    scripts[entity, default: []].insert(value, at: place)
  }

  /// Where values of an attribute stand among those of a script, which are in the order of names.
  private static func places(of name: String, in values: [Value]) -> Range<Int> {
    func first(_ isBehind: (String) -> Bool) -> Int {
      var range = values.startIndex..<values.endIndex
      while !range.isEmpty {
        let middle = range.lowerBound + range.count / 2
        range =
          isBehind(values[middle].attribute.name)
          ? range.lowerBound..<middle : middle + 1..<range.upperBound
      }
      return range.lowerBound
    }
    return first { $0 >= name }..<first { $0 > name }
  }
}

// What the mapping has no answer for.
extension StepNeeds {
  private mutating func settle(_ problem: MappingProblem) {
    let parts = problem.subject.split(separator: ".", maxSplits: 1).map(String.init)
    let attribute = parts.count == 2 ? target.attribute(parts[1], of: parts[0]) : nil
    let answers = self.answers(to: problem)
    switch problem.kind {
    case .undecided: return
    case .instruction:
      guard let attribute else { return }
      // What was said does not fit: a script can do it.
      let wrong = rules.filter {
        $0.text.contains("\"\(parts[0])\"") && $0.text.contains(parts[1])
      }
      refused.formUnion(wrong.map(\.text))
      rules.removeAll(where: wrong.contains)
      add(attribute, of: parts[0], problem.why)
    case .loss where !problem.isConvertible, .unsupported:
      let changed = unitChanges(from: parts)
      let same = changed + likely.answers(to: problem.subject) + fillings(from: parts)
      let converted = conversions(from: parts)
      add(
        decision: problem.subject, problem.why,
        converted.near + same + converted.others + unarchived(from: parts) + answers)
    case .loss, .notInferable:
      if problem.isConvertible, let answer = answers.first, !refused.contains(answer.text) {
        let found = attribute.flatMap { conversion(of: $0, parts[0]) }
        let misfits = found?.misfits
        if let attribute, misfits != nil || self.answers[problem.subject]?.kind == .script {
          let convert = StepNeeds.Answer(.rule, answer.text, "a run ends at the others")
          return add(attribute, of: parts[0], misfits ?? problem.why, last: [convert])
        }
        return add(Rule(text: answer.text, why: found?.rule ?? problem.why))
      }
      if let attribute {
        let possible = answers.filter { !refused.contains($0.text) }
        return add(attribute, of: parts[0], problem.why, possible)
      }
      guard answers.isEmpty, parts.count == 2 else {
        return add(decision: problem.subject, problem.why, answers)
      }
      add(link: parts[1], of: parts[0], problem.why)
      add(decision: problem.subject, problem.why, [])
    }
  }

  /// What a conversion does, and where one sees what it cannot; what the store has of that.
  private func conversion(
    of attribute: Attribute, _ entity: String
  ) -> (rule: String, misfits: String?)? {
    for object in mapping.objects(into: entity) {
      guard case .source(let name, let planned?)? = object.attribute(named: attribute.name)?.origin
      else { continue }
      // The rule asks for a conversion where the number would stay as it stands.
      let found = Conversion(from: planned.source, to: planned.target) ?? planned
      let rule =
        "\(found.source.name) to \(found.target.name): \(found.rule)"
        + (found.canFail
          ? ". Unless a script makes such objects, plan --preflight lists them." : ".")
      return (rule, found.canFail ? samples.misfits(name, of: object.source, found) : nil)
    }
    return nil
  }

  /// The rules that a problem's remedy names; none when only a script will do.
  private func answers(to problem: MappingProblem) -> [StepNeeds.Answer] {
    let parts = problem.snippet?.components(separatedBy: ", or ") ?? []
    let rules = parts.filter { part in
      ["drop", "one", "map", "where", "rename"].contains { part.hasPrefix($0 + " {") }
    }
    return rules.flatMap { rule in
      let other = rule.replacing("keep = \"first\"", with: "keep = \"last\"")
      return (other == rule ? [rule] : [rule, other]).map { StepNeeds.Answer(.rule, $0, "") }
    }
  }

  /// Has scripts make an object for a relationship to one, for every entity that has it.
  mutating func add(
    link name: String, of owner: String, _ why: String, from old: String? = nil
  ) {
    guard let ancestor = target.entity(named: owner),
      let link = target.relationship(named: name, of: ancestor)?.relationship, !link.isToMany,
      let far = target.entity(named: link.destination),
      let destination = target.descendants(of: far).first(where: { !$0.isAbstract })
    else { return }
    let declared = target.relationship(named: name, of: ancestor)?.declaredBy.name ?? owner
    let full = "\(declared).\(name)"
    guard answers[full].map({ $0.kind == .script }) != false else { return }
    let isOffered = answers[full] == nil
    var entities: [String] = []
    for object in mapping.objects where !object.isAbstract {
      guard let entity = target.entity(named: object.target),
        target.entity(entity, inheritsFrom: ancestor)
      else { continue }
      entities.append(object.source)
      guard links[object.source]?.contains(where: { $0.relationship.name == name }) != true
      else { continue }
      scripts[object.source] = scripts[object.source] ?? []
      // Of several entities that become one, not each may have had it.
      let own = old.flatMap { source.relationship($0, ofEntity: object.source) == nil ? nil : $0 }
      links[object.source, default: []].append(
        Link(
          relationship: link, destination: destination, old: own, why: why, isOffered: isOffered))
    }
    var found = likely.origins(of: link, in: declared)
    found.append(
      .init(
        .script, "new.\(destination.name) for each object" + (old == nil ? "" : " without one"),
        "create, in the script of \(entities.joined(separator: ", "))"))
    if let old {
      let filters = entities.filter { source.relationship(old, ofEntity: $0) != nil }
        .map { SnippetText.filter($0, old) }
      // Of an entity that never had it, all objects are without one.
      if !filters.isEmpty, filters.count == entities.count {
        let text = filters.joined(separator: ", ")
        found.append(.init(.rule, text, "leaves objects without one behind"))
      }
      found.append(.init(.leave, "", "nothing, if all have one: a run refuses objects without"))
    }
    let areMissing = entities.compactMap { entity in
      old.flatMap { samples.isMissing($0, of: entity) }
    }
    let isMissing = areMissing.isEmpty ? nil : areMissing.contains(true)
    add(decision: full, why, ranked(found, isMissing: isMissing))
  }
}

extension MappingProblem {
  /// Whether a conversion settles it: what cannot be converted then ends the run, and nothing is
  /// lost in silence.
  var isConvertible: Bool {
    snippet?.hasPrefix("map {") == true && snippet?.contains(" = convert(") == true
  }
}
