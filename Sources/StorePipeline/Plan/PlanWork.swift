import CoreDataStore
import Formats
internal import StoreMigration

struct PlanWork {
  private let planner: Planner
  private let chain: VersionChain
  private let shelf: LoadedScripts
  private let detection: (name: String, digest: String)?
  private let steps: StepPlanner

  /// `detection` is the script that detected the store's version.
  init(
    _ planner: Planner, _ chain: VersionChain, _ shelf: LoadedScripts,
    detection: (name: String, digest: String)? = nil
  ) {
    (self.planner, self.chain, self.shelf) = (planner, chain, shelf)
    self.detection = detection
    steps = StepPlanner(
      pipeline: planner.pipeline, settings: planner.settings, shelf: shelf, stages: planner.stages,
      wholeFile: planner.declarations, shared: planner.shared)
  }

  /// The plan for every version that the file takes.
  func plan() throws -> Plan {
    var hops: [VersionChain.Hop] = []
    for source in try chain.sources {
      for hop in try chain.hops(from: source) ?? [] where !hops.contains(where: hop.isSame) {
        hops.append(hop)
      }
    }
    if hops.isEmpty { hops = chain.again }
    let all = try chain.sources
    let results = try hops.map { hop in
      try steps.plan(
        hop, others: all.filter { $0.name != hop.from.name },
        served: others(besides: hop, among: hops), later: later(than: hop.to),
        schema: StoreSchema(of: hop.from), data: .unknown)
    }
    return plan(
      results, from: try firstSchemas(hops), source: nil, warnings: [], mentions: [], space: nil)
  }

  func plan(for store: Store, version: String?) throws -> Plan {
    let survey = try StoreVersion(store, planner, chain).survey(version)
    let hops = survey.hops
    let schema = try store.expectedSchema(of: survey.model)
    var data = SourceData.store(store, schema, survey.entities)
    var results: [StepPlanner.Result] = []
    let all = try chain.sources
    for hop in hops {
      let before = results.last?.step.targetSchema ?? schema
      let others = all.filter { $0.name != hop.from.name }
      let result = try steps.plan(
        hop, others: others, served: others, later: later(than: hop.to), schema: before, data: data)
      results.append(result)
      data = .after(result.step.mapping, result.step.scripts, hop.to, data)
    }
    let mentions = try planner.settings.looksForURIs ? URIMentions(store, schema).found : []
    let mirror = MirrorCheck(
      survey.facts, planner.declarations, file: planner.pipeline.file)
    var plan = plan(
      results, from: hops.isEmpty ? [] : [schema], source: survey.model,
      warnings: survey.warnings + (hops.isEmpty ? [] : mirror.warnings(results.map(\.step))),
      mentions: mentions,
      space: survey.space(planner.declarations.swap, results.map(\.step)), mirror: mirror)
    plan.moment = store.moment
    return plan
  }

  private func plan(
    _ results: [StepPlanner.Result], from schemas: [StoreSchema], source: Model?,
    warnings: [String], mentions: [PlannedURIs.Mention], space: PlannedSpace?,
    mirror: MirrorCheck? = nil
  ) -> Plan {
    let (planned, declarations) = (results.map(\.step), planner.declarations)
    let expectations = planned.last.map {
      ExpectationNames(
        declarations.expectations, from: schemas, to: $0.targetSchema,
        versions: planner.library.versions, file: planner.pipeline.file
      ).problems
    }
    let digests = PlanDigests(
      pipeline: PlanDigests.of([planner.pipeline.digest] + planner.settings.acceptedLosses),
      scripts: shelf.digests + planner.stageDigests + (detection.map { [$0] } ?? []),
      models: Self.digest(planned, chain.target))
    let losses = AcceptedLosses(planned.flatMap { [$0.from, $0.to] } + planner.library.models)
    let problems =
      Self.problems(of: results) + unfilled(results) + shelf.problems + (expectations ?? [])
      + losses.problems(of: planner.settings.acceptedLosses)
      + HookNames(declarations.hooks, file: planner.pipeline.file).problems
      + (mirror?.problems(planned, accepting: planner.settings.acceptedLosses) ?? [])
      + planned.rejectsWithoutBackup(declarations, file: planner.pipeline.file)
    let all = changedScripts(digests) + problems
    let likely =
      (planned.retryWarnings(planner.stages, file: planner.pipeline.file)
      + planned.flatMap { $0.namesAsTexts(file: planner.pipeline.file) }
      + planned.unvalidatedScripts(declarations, file: planner.pipeline.file)).map(\.description)
    let uris = PlannedURIs(
      reasons: URIReasons(planned, hasNewIdentity: declarations.metadata.newUUID).sentences,
      mentions: mentions)
    var seen: Set<String> = []
    return Plan(
      pipeline: planner.pipeline, source: source, target: chain.target, steps: planned,
      problems: all.isEmpty
        ? [] : chain.misplaced.map { [$0] } ?? PipelineFileError(all).problems,
      warnings: (warnings + results.flatMap(\.warnings) + likely
        + shelf.warnings.map(\.description))
        .filter { seen.insert($0).inserted },
      uris: uris, space: space,
      digests: digests, settings: planner.settings, declarations: declarations)
  }

  /// The scripts that are not what they were when the plan was made that the pipeline is read from.
  private func changedScripts(_ digests: PlanDigests) -> [Problem] {
    let pipeline = planner.pipeline
    return digests.ofScripts.compactMap { name, digest in
      guard let planned = pipeline.scriptDigests[name], planned != digest else { return nil }
      return Problem(
        file: pipeline.file, line: 0,
        message: "\(name) has changed since the plan was made; make it again, and look at it: "
          + "`pipeline plan FILE --json`")
    }
  }
}

extension PlanWork {
  /// The schemas of the stores at which a run may start.
  private func firstSchemas(_ hops: [VersionChain.Hop]) throws -> [StoreSchema] {
    let models = try chain.sources
    return try (models.isEmpty ? hops.map(\.from) : models).map { try StoreSchema(of: $0) }
  }

  /// The versions that further steps lead to.
  private func later(than version: Model) -> [Model] {
    ((try? chain.hops(from: version)) ?? nil)?.map(\.to) ?? []
  }

  /// The other versions that the stages of a hop serve.
  private func others(
    besides hop: VersionChain.Hop, among hops: [VersionChain.Hop]
  ) -> [Model] {
    hops.filter { $0.to.name == hop.to.name && $0.from.name != hop.from.name }.map(\.from)
  }

  /// The problems of all steps; one that not all versions have names those that have it.
  private static func problems(of results: [StepPlanner.Result]) -> [Problem] {
    var versions: [Problem: [String]] = [:]
    for result in results {
      for problem in Set(result.problems) { versions[problem, default: []].append(result.name) }
    }
    return results.flatMap { result in
      result.problems.map { problem in
        let step = results.filter { $0.step.to.name == result.step.to.name }
        guard step.count > 1, let names = versions[problem], names.count < step.count else {
          return problem
        }
        return Problem(
          file: problem.file, line: problem.line,
          message: "from \(names.joined(separator: ", ")): \(problem.message)",
          isRefusal: problem.isRefusal)
      }
    }
  }

  /// The mandatory attributes of the last version that nothing gives a value, in any step: one
  /// problem for each that is declared, whatever the number of entities that inherit it.
  private func unfilled(_ results: [StepPlanner.Result]) -> [Problem] {
    let listed = results.reduce(into: Set<[String]>()) { found, result in
      let version = result.step.to.name
      found.formUnion(result.step.mapping.problems.map { [version, $0.subject] })
    }
    let search = UnfilledAttributes(planner.stages, shelf.faulty, results.map(\.step))
    // What is undecided is listed under the entity that declares it, in this step or a later one.
    let all = search.all(of: chain.target).filter { $0.names.isDisjoint(with: listed) }
    let groups = Dictionary(grouping: all, by: \.key)
    var seen: Set<[String]> = []
    return all.filter { seen.insert($0.key).inserted }.compactMap { first in
      groups[first.key].map { problem(of: first, among: $0) }
    } + search.forgotten(by: chain.target)
  }

  private func problem(
    of first: UnfilledAttributes.Unfilled, among group: [UnfilledAttributes.Unfilled]
  ) -> Problem {
    let (step, name) = (first.step, first.attribute.name)
    var heirs: [String] = []
    for found in group where !heirs.contains(found.object.target) {
      heirs.append(found.object.target)
    }
    let listed = Array(heirs.prefix(3)) + (heirs.count > 3 ? ["\(heirs.count - 3) more"] : [])
    // A rule for the parent is one for all that inherit from it.
    let isOfAll = step.mapping.objects.allSatisfy { object in
      object.isAbstract || heirs.contains(object.target)
        || step.to.entity(named: object.target).map(step.to.lineage)?
          .contains { $0.name == first.owner } != true
    }
    let isOne = heirs.count == 1
    let entity = !isOne && isOfAll ? first.owner : first.object.target
    var problem = MappingProblem(
      .notInferable, "\(isOne ? entity : first.owner).\(name)",
      why: "It is mandatory and has no default, and nothing gives it a value"
        + (isOne ? "." : " in \(Plural.list(listed))."),
      snippet: first.attribute.plainExample().map { SnippetText.map(entity, name, $0) }
        ?? SnippetText.script(first.object.source))
    problem.answers = steps.answers(to: problem.subject, in: step, later: later(than: step.to))
    let line =
      planner.pipeline.isStandard
      ? 0 : step.declarations.mappingLine ?? step.stages.first?.line ?? planner.pipeline.line
    return Problem(file: planner.pipeline.file, line: line, message: "\(problem)")
  }

  private static func digest(_ steps: [PlannedStep], _ target: Model) -> String {
    let models = steps.map(\.from) + [target]
    return PlanDigests.of(models.map { VersionHashes(of: $0).digest ?? $0.name })
  }
}

extension StepPlanner.Result {
  /// The version that the step starts at.
  fileprivate var name: String { step.from.name }
}

extension VersionChain.Hop {
  /// Whether another hop leads from the same version to the same.
  fileprivate func isSame(_ other: VersionChain.Hop) -> Bool {
    from.name == other.from.name && to.name == other.to.name
  }
}

/// Finds names of facts in the commands of hooks that mean nothing.
struct HookNames {
  /// The mistakes.
  let problems: [Problem]

  init(_ hooks: [StageDeclarations.Hook], file: String) {
    problems = hooks.flatMap { hook in
      hook.words.compactMap(HookFacts.mistake).map {
        Problem(file: file, line: hook.commandLine, message: $0)
      }
    }
  }
}

/// Finds the expectations of a pipeline that cannot be understood.
struct ExpectationNames {
  /// The mistakes.
  let problems: [Problem]

  /// Reads the expectations against the versions that a run may start at, and the one it leads to.
  init(
    _ expectations: [Expectation], from sources: [StoreSchema], to target: StoreSchema,
    versions: [String], file: String
  ) {
    var problems: [Problem] = []
    for expectation in expectations {
      let known = versions + sources.map(\.model.name)
      for name in expectation.sources.keys.sorted() where !known.contains(name) {
        let near = NearestName.quoted(for: name, among: versions)
        problems.append(
          Problem(
            file: file, line: expectation.line ?? 0,
            message: "\"\(expectation.name)\": the models have no version '\(name)'\(near)"))
      }
      for source in sources {
        do {
          _ = try ExpectationCheck(expectation, source: source, target: target)
        } catch {
          let line = expectation.line ?? 0
          problems.append(Problem(file: file, line: line, message: "\(error)"))
        }
      }
    }
    self.problems = problems
  }
}

/// Sees that what is given up from outside is there, in one version or another.
///
/// A step that has not what a name says takes no notice of it; a name that none has is a slip, and
/// taken for granted it would let the right one through to be asked for again.
struct AcceptedLosses {
  private let entities: [(model: Model, entity: Entity)]

  init(_ models: [Model]) {
    entities = models.flatMap { model in model.entities.map { (model, $0) } }
  }

  /// The names that mean nothing.
  func problems(of names: [String]) -> [Problem] {
    names.compactMap { name in
      mistake(in: name).map {
        Problem(file: "--accept-loss \(name)", line: 0, message: $0)
      }
    }
  }

  private func mistake(in name: String) -> String? {
    guard name != "*", name != MappingInstructions.mirror else { return nil }
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    let entity = NamedInstruction(parts.first ?? "")
    let found = entities.filter { entity.matches($0.entity.name) }
    guard !found.isEmpty else {
      let near = NearestName.quoted(for: entity.name, among: entities.map(\.entity.name))
      return "No version has an entity '\(entity.name)'\(near)" + (near.isEmpty ? "." : "")
    }
    guard let property = parts.dropFirst().first.map({ NamedInstruction($0) }) else { return nil }
    let names = found.flatMap { Self.properties($0.model, $0.entity) }
    guard !names.contains(where: property.matches) else { return nil }
    let near = NearestName.quoted(for: property.name, among: names)
    return "\(entity.name) has no property '\(property.name)' in any version\(near)"
      + (near.isEmpty ? "." : "")
  }

  private static func properties(_ model: Model, _ entity: Entity) -> [String] {
    model.allAttributes(of: entity).map(\.name) + model.allComposites(of: entity).map(\.name)
      + model.allRelationships(of: entity).map(\.name)
      + (entity.parent == nil ? [MappingInstructions.strays] : [])
  }
}

/// Why object URIs that an application saved lead nowhere after a run.
struct URIReasons {
  let sentences: [String]

  init(_ steps: [PlannedStep], hasNewIdentity: Bool) {
    let objects = steps.flatMap { step in
      step.mapping.objects.flatMap { objects in
        objects.uriBreaks.map { why in
          objects.source == objects.target
            ? "\(objects.source): \(why.rawValue)"
            : "\(objects.source), now \(objects.target): \(why.rawValue)"
        }
      }
    }
    let scripts = steps.flatMap(\.scripts).filter(\.outline.makesObjects).map {
      "\($0.entity): a script makes the objects and may give them new keys"
    }
    let revised = steps.flatMap { step in
      step.revisions.flatMap { revision in
        revision.entities.sorted().map { "\($0): \(revision.stage) may take objects out" }
      }
    }
    sentences =
      objects + scripts + revised + (hasNewIdentity ? ["the whole store: it gets a new UUID"] : [])
  }
}

/// Finds object URIs that a store holds as text, in its metadata and its attributes.
struct URIMentions {
  /// What every object URI begins with.
  static let scheme = "x-coredata://"

  /// The places that hold some.
  let found: [PlannedURIs.Mention]

  init(_ store: Store, _ schema: StoreSchema) throws {
    let entries = store.metadata.entries.sorted { $0.key < $1.key }
    let keys = entries.compactMap { key, value -> PlannedURIs.Mention? in
      let count = Self.count(in: value)
      return count > 0 ? PlannedURIs.Mention(place: "metadata \(key)", count: count) : nil
    }
    found =
      keys
      + (try store.mentions(of: Self.scheme, in: schema)).map {
        PlannedURIs.Mention(place: $0.attribute.description, count: $0.count)
      }
  }

  private static func count(in value: PropertyList) -> Int64 {
    switch value {
    case .string(let text): text.contains(scheme) ? 1 : 0
    case .array(let values): values.reduce(0) { $0 + count(in: $1) }
    case .dictionary(let values): values.values.reduce(0) { $0 + count(in: $1) }
    default: 0
    }
  }
}
