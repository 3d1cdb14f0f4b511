import CoreDataStore
internal import StoreMigration
internal import StoreReplacement

/// Makes one step of a plan.
struct StepPlanner {
  let pipeline: Pipeline
  let settings: PlanSettings
  let shelf: LoadedScripts
  let stages: StageRegistry
  /// What the stages of the whole file declare.
  let wholeFile: StageDeclarations
  /// What the plans of many stores have in common.
  let shared: SharedPlanning

  /// A step with what is wrong with it.
  struct Result {
    let step: PlannedStep
    let problems: [Problem]
    let warnings: [String]
  }

  /// Plans a hop.
  ///
  /// - Parameters:
  ///   - hop: From where to where, and the stages.
  ///   - others: Further versions that the file takes: what they have may be named.
  ///   - served: Further versions that the same stages serve: a script may be of their entities.
  ///   - later: The versions that further steps lead to.
  ///   - schema: The schema of the source's store.
  ///   - data: What is known of its objects.
  /// - Returns: The step, and what is wrong with it.
  /// - Throws: `Failure` when a schema cannot be predicted, or the store cannot be read.
  func plan(
    _ hop: VersionChain.Hop, others: [Model], served: [Model], later: [Model],
    schema: StoreSchema, data: SourceData
  ) throws -> Result {
    let scripts = shelf.scripts(of: hop.stages)
    let mapping = shared.mapping(of: others + [hop.from, hop.to]) {
      self.mapping(of: hop, scripts, others)
    }
    let names = ScriptNames(
      scripts, mapping, from: hop.from, to: hop.to, others: served,
      instructions(of: hop), file: pipeline.file)
    let target = try StoreSchema(of: hop.to, framework: schema.framework)
    let declarations = stages.declarations(of: hop.stages)
    let (start, staying) = try StartPlanner(
      mapping: mapping, source: schema, target: target, data: data,
      fileReason: wholeFile.fileReason, isRenamed: wholeFile.swap?.method == .rename
    ).start(declarations.start)
    let ways = staying.map { staying in
      CopyWays(
        from: schema, to: target, mapping, scripts: Self.claims(of: scripts), start: start.start,
        staying: staying)
    }
    let entities = try EntityPlanner(hop.from, hop.to, mapping, scripts, data, ways).entities
    let line = declarations.mappingLine ?? hop.step?.line
    let misnaming = scripts.filter { script in names.problems.contains { $0.file == script.path } }
    let faulty = shelf.faulty.union(misnaming.map(\.entity))
    let found = try mapping.problems.filter { !Self.isOf(faulty, $0, mapping) }
      .compactMap(LossSearch(mapping: mapping, model: hop.from, data: data).confirmed)
    let mappingProblems = offering(found, hop, later, scripts, mapping)
      .map {
        pipeline.isStandard
          ? problem(of: $0, withoutFile: hop) : problem(of: $0, line: line ?? pipeline.line)
      }
    let conditions = ConditionCheck(declarations.conditions, mapping, schema, file: pipeline.file)
    let left = uncopied(hop, mapping, scripts, declarations)
    let revisions = RevisionPlanner(hop.stages, stages, to: hop.to, file: pipeline.file)
    let strays = StrayRows(hop.from, mapping, data)
    let lost = strays.problems(accepting: instructions(of: hop), line: line ?? pipeline.line)
      .map { pipeline.isStandard ? problem(of: $0, withoutFile: hop) : problem(of: $0, line: 0) }
    var step = PlannedStep(
      from: hop.from, to: hop.to, mapping: mapping, stages: hop.stages,
      scripts: scripts.filter { hop.from.entity(named: $0.entity) != nil },
      sourceSchema: schema, targetSchema: target, entities: entities,
      start: start,
      revisions: revisions.revisions, declarations: declarations)
    step.numbered = strays.numbered
    return Result(
      step: step,
      problems: mappingProblems + lost + left + names.problems + conditions.problems
        + revisions.problems,
      warnings: target.doubts.map { "\($0)" })
  }

  /// Whether a script with mistakes of its own might have settled it: those are reported.
  private static func isOf(
    _ faulty: Set<String>, _ problem: MappingProblem, _ mapping: Mapping
  ) -> Bool {
    guard [.loss, .notInferable].contains(problem.kind), !faulty.isEmpty else { return false }
    let entity = String(problem.subject.prefix { $0 != "." })
    return !faulty.isDisjoint(with: mapping.objects(into: entity).map(\.source) + [entity])
  }

  /// Entities that nothing brings to the new store: no script makes their objects, and no stage
  /// copies the rest.
  private func uncopied(
    _ hop: VersionChain.Hop, _ mapping: Mapping, _ scripts: [PlannedScript],
    _ declarations: StageDeclarations
  ) -> [Problem] {
    // A stage of the user's own may bring them; its description does not say which.
    let hasOwn = hop.stages.contains { stage in
      guard let kind = stages[stage.name] else { return true }
      return kind.produces.contains(.objects) && !kind.consumes.contains(.objects)
        && !declarations.transforms.contains { $0.stage.name == stage.name }
    }
    let claimed = Set(scripts.filter(\.outline.needsLua).map(\.entity)).union(shelf.faulty)
    let names = mapping.objects.filter { !$0.isAbstract && !claimed.contains($0.source) }
      .map(\.source).sortedByName()
    guard !declarations.copiesRest, !hasOwn, !names.isEmpty else { return [] }
    let line = hop.step?.line ?? hop.stages.first?.line ?? pipeline.line
    return [
      Problem(
        file: pipeline.file, line: line,
        message: "nothing brings \(names.joined(separator: ", ")) to \(hop.to.name): no script "
          + #"makes their objects; write stage "copy" {}, which copies all that no script makes"#)
    ]
  }

  /// What would be lost, as a shell takes it.
  private func name(_ problem: MappingProblem) -> String { ShellWord.quoted(problem.subject) }

  private func problem(of problem: MappingProblem, line: Int) -> Problem {
    var message = "\(problem)"
    if problem.kind == .loss { message += "\nOr give it up with: --accept-loss \(name(problem))" }
    return Problem(
      file: pipeline.file, line: problem.line ?? line, message: message)
  }

  /// The same where there is no file that could say it.
  private func problem(of problem: MappingProblem, withoutFile hop: VersionChain.Hop) -> Problem {
    var ways: [String] = []
    if problem.kind == .loss { ways.append("Give it up with: --accept-loss \(name(problem))") }
    if problem.answers.count > 1 || problem.snippet != nil {
      let start = ways.isEmpty ? "Say" : "Or say"
      let answers = problem.answers.map { "\n  \($0)" }.joined()
      ways.append(
        "\(start) so in a pipeline file, for 'pipeline run':"
          + (problem.answers.count > 1 ? answers : " \(problem.snippet ?? "")"))
    }
    let lines = ["\(problem.subject): \(problem.why)"] + ways
    return Problem(
      file: "\(hop.from.name) to \(hop.to.name)", line: 0,
      message: lines.joined(separator: "\n"))
  }
}

// The answers to what a mapping leaves open.
extension StepPlanner {
  /// The problems with the answers that `new` would write, given what the file says already.
  private func offering(
    _ problems: [MappingProblem], _ hop: VersionChain.Hop, _ later: [Model],
    _ scripts: [PlannedScript], _ mapping: Mapping
  ) -> [MappingProblem] {
    problems.map { problem in
      guard problem.kind != .instruction else { return problem }
      var offering = problem
      offering.answers = answers(to: problem.subject, hop, later, scripts, mapping)
      // Without the conversion among them they answer other questions about the same property.
      if problem.kind != .undecided, problem.isConvertible, let own = problem.snippet,
        !offering.answers.contains(where: { $0.hasPrefix(own) })
      {
        offering.answers = [own]
      }
      return offering
    }
  }

  /// The answers to what is open in a step that has been planned.
  func answers(to subject: String, in step: PlannedStep, later: [Model]) -> [String] {
    let hop = VersionChain.Hop(from: step.from, to: step.to, step: nil, stages: step.stages)
    return answers(to: subject, hop, later, shelf.scripts(of: step.stages), step.mapping)
  }

  private func answers(
    to subject: String, _ hop: VersionChain.Hop, _ later: [Model], _ scripts: [PlannedScript],
    _ mapping: Mapping
  ) -> [String] {
    let answers = shared.answers(of: [hop.from, hop.to]) {
      var said = instructions(of: hop)
      said.undecided = []
      said.scripts = Self.claims(of: scripts)
      let needs = StepNeeds(from: hop.from, to: hop.to, before: later, saying: said)
      let known = Self.dedupes(in: hop.stages)
      let open = needs.decisions.filter { decision in
        !decision.answers.contains { $0.kind == .stage && known.contains($0.text) }
      }
      return Dictionary(grouping: open, by: \.name)
        .mapValues { $0.flatMap(\.answers).map(\.line) }
    }
    return owners(of: subject, hop, mapping).lazy.compactMap { answers[$0] }.first ?? []
  }

  /// The stages that merge objects, as `new` would write them.
  private static func dedupes(in stages: [PipelineStage]) -> [String] {
    stages.filter { $0.name == "dedupe" }.compactMap { stage in
      guard let entity = stage["entity"]?.text, let key = stage["key"] else { return nil }
      return SnippetText.dedupe(entity, (key.list ?? [key]).compactMap(\.text))
    }
  }

  /// The names by which the same may be undecided: its own, and that of the entity, of either
  /// version, that declares it.
  private func owners(
    of name: String, _ hop: VersionChain.Hop, _ mapping: Mapping
  ) -> [String] {
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return [name] }
    func inherited(_ entity: String, _ model: Model) -> [String] {
      let lineage = model.entity(named: entity).map(model.lineage) ?? []
      return lineage.map { "\($0.name).\(parts[1])" }
    }
    let new = mapping.objects(from: parts[0])?.target ?? parts[0]
    return [name] + inherited(parts[0], hop.from) + inherited(new, hop.to)
  }
}

// The mapping.
extension StepPlanner {
  /// The mapping by the rules of the stages, and by what their scripts take upon themselves.
  private func mapping(
    of hop: VersionChain.Hop, _ scripts: [PlannedScript], _ others: [Model]
  ) -> Mapping {
    var instructions = instructions(of: hop)
    instructions.scripts = Self.claims(of: scripts)
    let plain = Mapping(
      from: hop.from, to: hop.to, instructions: instructions, others: others)
    let maps = scripts.compactMap { Self.map(by: $0, plain) }
    guard !maps.isEmpty else { return plain }
    instructions.maps += maps
    return Mapping(from: hop.from, to: hop.to, instructions: instructions, others: others)
  }

  private static func claims(of scripts: [PlannedScript]) -> [ScriptClaim] {
    scripts.filter(\.outline.needsLua).map { script in
      ScriptClaim(
        entity: script.entity, attributes: script.outline.computed, reads: script.outline.reads,
        makesObjects: script.outline.makesObjects, mentions: script.outline.mentions,
        path: script.path)
    }
  }

  private func instructions(of hop: VersionChain.Hop) -> MappingInstructions {
    var instructions = stages.declarations(of: hop.stages).instructions
    instructions.acceptedLosses += settings.acceptedLosses.map { NamedInstruction($0) }
    return instructions
  }

  /// What a script says without a function: a map for the entity that its own one becomes.
  private static func map(by script: PlannedScript, _ mapping: Mapping) -> EntityMap? {
    guard let target = mapping.objects(from: script.entity)?.target else { return nil }
    let attributes = script.outline.attributes.compactMapValues { attribute in
      switch attribute {
      case .from(let name): EntityMap.Value.from(name)
      case .constant(let value): EntityMap.Value(value)
      case .function: nil
      }
    }
    guard !attributes.isEmpty else { return nil }
    let isMerged = mapping.objects(into: target).count > 1
    var map = EntityMap(
      entity: target, from: isMerged ? script.entity : nil, attributes: attributes,
      line: script.stage.line(of: "script"))
    map.isOfScript = true
    return map
  }
}

/// Finds the conditions of `where` rules that cannot be used.
struct ConditionCheck {
  /// The mistakes.
  let problems: [Problem]

  /// Reads the conditions of a mapping's instructions against the schema they are about.
  ///
  /// A condition over an entity that is not there is reported by the mapping.
  init(
    _ conditions: [StageDeclarations.Condition], _ mapping: Mapping, _ schema: StoreSchema,
    file: String
  ) {
    problems = conditions.compactMap { condition in
      let sources = schema.entity(named: condition.entity).map { [$0] }
      let layouts =
        sources
        ?? mapping.objects(into: condition.entity).compactMap { schema.entity(named: $0.source) }
      for layout in layouts {
        do {
          _ = try ConditionSQL(condition.text, layout: layout, model: schema.model)
        } catch {
          return Problem(file: file, line: condition.line, message: "\(error)")
        }
      }
      return nil
    }
  }
}

/// The rows of a store that name no entity in Z_ENT: those of a table with one entity are its
/// objects, as Core Data reads them, and others are lost.
struct StrayRows {
  private let model: Model
  private let mapping: Mapping
  private let data: SourceData

  init(_ model: Model, _ mapping: Mapping, _ data: SourceData) {
    (self.model, self.mapping, self.data) = (model, mapping, data)
  }

  /// The entities that have such rows in a table of their own.
  var numbered: Set<String> { Set(roots.filter(isAlone).map(\.name)) }

  /// The tables whose rows would be lost, unless that is given up by name, or all entities of the
  /// table are.
  func problems(accepting instructions: MappingInstructions, line: Int) -> [MappingProblem] {
    roots.filter { !isAlone($0) && !isGivenUp($0, instructions) }.map { root in
      let rows = data.strays(of: root.name) == 1 ? "row names" : "rows name"
      return MappingProblem(
        .loss, "\(root.name).\(MappingInstructions.strays)",
        why: "\(data.strays(of: root.name)) \(rows) no entity in Z_ENT that has objects in the "
          + "table, so nothing can carry them.", line: line)
    }
  }

  private var roots: [Entity] {
    model.entities.filter { $0.parent == nil && data.strays(of: $0.name) > 0 }
  }

  private func isAlone(_ root: Entity) -> Bool {
    model.descendants(of: root).count == 1 && !root.isAbstract
  }

  private func isGivenUp(_ root: Entity, _ instructions: MappingInstructions) -> Bool {
    let names = [root.name, mapping.objects(from: root.name)?.target].compactMap(\.self)
      .map { "\($0).\(MappingInstructions.strays)" }
    if instructions.acceptedLosses.contains(where: { names.contains(where: $0.matches) }) {
      return true
    }
    return model.descendants(of: root).filter { !$0.isAbstract }
      .allSatisfy { mapping.fate(of: $0.name) == .dropped(isDeclared: true) }
  }
}

/// Finds whether what a mapping would lose is there: where a store has no such data, nothing is
/// lost.
private struct LossSearch {
  let mapping: Mapping
  let model: Model
  let data: SourceData

  /// A problem of a mapping, perhaps with the number of values; nil for a loss of nothing.
  func confirmed(_ problem: MappingProblem) throws -> MappingProblem? {
    guard problem.kind == .loss else { return problem }
    let narrowed = mapping.undecided(problem.subject)
    guard narrowed.isEmpty else {
      return try narrowed.contains(where: hasLinks) ? problem : nil
    }
    let parts = problem.subject.split(separator: ".", maxSplits: 1).map(String.init)
    guard let name = parts.first, let entity = model.entity(named: name) else { return problem }
    let members = model.descendants(of: entity).filter { !$0.isAbstract }
    guard let property = parts.dropFirst().first else {
      return try members.contains(where: losesObjects) ? problem : nil
    }
    if try members.contains(where: { try loses(property, of: $0) }) { return problem }
    return try misfits(problem, property, of: members)
  }

  private func losesObjects(_ entity: Entity) throws -> Bool {
    mapping.fate(of: entity.name) == .dropped(isDeclared: false)
      && data.isThere(data.rows(of: entity.name))
  }

  private func loses(_ property: String, of entity: Entity) throws -> Bool {
    let fate = mapping.objects(from: entity.name)?.fate(of: property)
    return try fate == .dropped(isDeclared: false)
      && data.isThere(data.values(of: property, in: entity.name))
  }

  /// The problem with the number of values that their new type cannot give back.
  private func misfits(
    _ problem: MappingProblem, _ property: String, of members: [Entity]
  ) throws -> MappingProblem? {
    guard data.isOfStore else { return nil }
    var count: Int64? = 0
    for member in members {
      for type in types(of: property, in: member) {
        let found = try data.misfits(of: property, in: member.name, as: type)
        count = count.flatMap { sum in found.map { sum + $0 } }
      }
    }
    guard let count else { return data.isThere(nil) ? problem : nil }
    guard count > 0 else { return nil }
    var counted = problem
    counted.why +=
      count == 1 ? " The store has 1 such value." : " The store has \(count) such values."
    return counted
  }

  /// The types that the values of an attribute are carried over to, as they are.
  private func types(of property: String, in entity: Entity) -> [AttributeType] {
    (mapping.objects(from: entity.name)?.attributes ?? []).compactMap { attribute in
      guard case .source(property, let conversion?) = attribute.origin, conversion.isCarried,
        conversion.losesPrecision
      else { return nil }
      return conversion.target
    }
  }

  /// Whether objects are linked by a relationship, as far as is known.
  private func hasLinks(_ name: PropertyReference) throws -> Bool {
    guard let owner = model.entity(named: name.entity) else { return true }
    return try model.descendants(of: owner).contains { member in
      try !member.isAbstract
        && data.isThere(data.values(of: name.property, in: member.name))
    }
  }
}
