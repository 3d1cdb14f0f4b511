import CoreDataStore
internal import StoreMigration

/// The making of one plan.
struct PlanWork {
  private let planner: Planner
  private let chain: VersionChain
  private let shelf: LoadedScripts
  private let detection: (name: String, digest: String)?
  private let steps: StepPlanner

  /// `detection` is the script that told the store's version.
  init(
    _ planner: Planner, _ chain: VersionChain, _ shelf: LoadedScripts,
    detection: (name: String, digest: String)? = nil
  ) {
    (self.planner, self.chain, self.shelf) = (planner, chain, shelf)
    self.detection = detection
    steps = StepPlanner(
      pipeline: planner.pipeline, settings: planner.settings, shelf: shelf, stages: planner.stages)
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
    let results = try hops.map { hop in
      try steps.plan(
        hop, others: others(besides: hop, among: hops), schema: StoreSchema(of: hop.from),
        data: .unknown)
    }
    return plan(
      results, from: try firstSchemas(hops), source: nil, warnings: [], mentions: [], space: nil)
  }

  /// The plan for a store.
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
      let result = try steps.plan(hop, others: others, schema: before, data: data)
      results.append(result)
      data = .after(result.step.mapping, result.step.scripts, hop.to, data)
    }
    let mentions = try planner.settings.looksForURIs ? URIMentions(store, schema).found : []
    var plan = plan(
      results, from: hops.isEmpty ? [] : [schema], source: survey.model, warnings: survey.warnings,
      mentions: mentions,
      space: survey.space(planner.declarations.swap))
    plan.moment = store.moment
    return plan
  }

  private func plan(
    _ results: [StepPlanner.Result], from schemas: [StoreSchema], source: Model?,
    warnings: [String], mentions: [PlannedURIs.Mention], space: PlannedSpace?
  ) -> Plan {
    let (planned, declarations) = (results.map(\.step), planner.declarations)
    let expectations = planned.last.map {
      ExpectationNames(
        declarations.expectations, from: schemas, to: $0.targetSchema, file: planner.pipeline.file
      ).problems
    }
    let losses = AcceptedLosses(planned.flatMap { [$0.from, $0.to] } + planner.library.models)
    let problems =
      Self.told(results) + shelf.problems + (expectations ?? [])
      + losses.problems(of: planner.settings.acceptedLosses)
      + HookNames(declarations.hooks, file: planner.pipeline.file).problems
    let uris = PlannedURIs(
      reasons: URIReasons(planned, hasNewIdentity: declarations.metadata.newUUID).sentences,
      mentions: mentions)
    var seen: Set<String> = []
    return Plan(
      pipeline: planner.pipeline, source: source, target: chain.target, steps: planned,
      problems: PipelineFileError(problems).problems,
      warnings: (warnings + results.flatMap(\.warnings) + shelf.warnings.map(\.description))
        .filter { seen.insert($0).inserted },
      uris: uris, space: space,
      digests: PlanDigests(
        pipeline: PlanDigests.of([planner.pipeline.digest] + planner.settings.acceptedLosses),
        scripts: shelf.digests + planner.stageDigests + (detection.map { [$0] } ?? []),
        models: Self.digest(planned, chain.target)), settings: planner.settings,
      declarations: declarations)
  }
}

extension PlanWork {
  /// What the stores are made of at which a run may start.
  private func firstSchemas(_ hops: [VersionChain.Hop]) throws -> [StoreSchema] {
    let models = try chain.sources
    return try (models.isEmpty ? hops.map(\.from) : models).map { try StoreSchema(of: $0) }
  }

  /// The other versions that the stages of a hop serve.
  private func others(
    besides hop: VersionChain.Hop, among hops: [VersionChain.Hop]
  ) -> [Model] {
    hops.filter { $0.to.name == hop.to.name && $0.from.name != hop.from.name }.map(\.from)
  }

  /// The problems of all steps; one that not all versions have tells which have it.
  private static func told(_ results: [StepPlanner.Result]) -> [Problem] {
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
