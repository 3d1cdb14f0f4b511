public import CoreDataStore
internal import StoreMigration
internal import Synchronization

/// Makes plans of a pipeline: compares it with its models and, when there is one, a store.
public struct Planner: Sendable {
  /// The pipeline.
  public let pipeline: Pipeline
  /// The models it names.
  public let library: ModelLibrary
  /// What is given from outside.
  public let settings: PlanSettings

  /// The stages that the pipeline was read with.
  let stages: StageRegistry
  /// What the stages of the pipeline declare.
  let declarations: StageDeclarations
  /// What the plans of many stores have in common.
  let shared = SharedPlanning()

  /// A planner for a pipeline.
  ///
  /// - Parameters:
  ///   - pipeline: The pipeline.
  ///   - library: The models; without them, those that the pipeline names are opened.
  ///   - settings: What is given from outside.
  ///   - stages: The stages that the pipeline was read with.
  /// - Throws: `Failure` when a model cannot be used.
  public init(
    pipeline: Pipeline, library: ModelLibrary? = nil, settings: PlanSettings = PlanSettings(),
    stages: StageRegistry = .standard
  ) throws {
    self.pipeline = pipeline
    self.library = try library ?? ModelLibrary(of: pipeline)
    self.settings = settings
    self.stages = stages.with(pipeline.plugins.map(\.stage))
    declarations = self.stages.declarations(of: pipeline)
  }

  /// The digests of the stages in Lua that the pipeline has, by the names of their files.
  var stageDigests: [(name: String, digest: String)] {
    let used = Set(pipeline.stages.map(\.stage.name))
    return stages.names.filter(used.contains).compactMap { name in
      guard let file = stages.kind(named: name)?.file else { return nil }
      let path = pipeline.plugins.first { $0.stage == file }?.path
      return (name: path ?? name, digest: file.digest)
    }
  }

  /// Makes a plan.
  ///
  /// - Parameters:
  ///   - store: The store; without one, the plan has the steps of every version that is accepted.
  ///   - version: The store's version, where it is known by something else than its hashes.
  /// - Returns: The plan, problems included.
  /// - Throws: ``PipelineFileError`` when the file names versions that are not there,
  ///   `Failure` when the store cannot be taken, `Failure` when a model cannot be used.
  public func plan(store: Store? = nil, version: String? = nil) throws -> Plan {
    let chain = try VersionChain(pipeline, library, stages: stages)
    guard let store else { return try PlanWork(self, chain, scripts).plan() }
    let detected =
      version == nil
      ? try VersionScript(declarations, of: pipeline)?.answer(for: store, library) : nil
    return try PlanWork(self, chain, scripts, detection: detected?.script)
      .plan(for: store, version: version ?? detected?.version)
  }

  /// Checks a pipeline without a store: its models, its scripts, and all that it would do.
  ///
  /// - Returns: Everything that is wrong; and what is most likely wrong with the scripts, and with
  ///   the stages behind them, of which plans and runs warn.
  public static func check(
    _ pipeline: Pipeline, settings: PlanSettings = PlanSettings(),
    stages: StageRegistry = .standard
  ) -> (problems: [Problem], warnings: [Problem]) {
    var seen: Set<Problem> = []
    do {
      let planner = try Planner(pipeline: pipeline, settings: settings, stages: stages)
      let plan = try planner.plan()
      let retries = plan.steps.retryWarnings(planner.stages, file: pipeline.file)
      let names = plan.steps.flatMap { $0.namesAsTexts(file: pipeline.file) }
      let unvalidated = plan.steps.unvalidatedScripts(
        planner.declarations, file: pipeline.file)
      let unreached = try VersionChain(pipeline, planner.library, stages: stages).unreached
      let warnings = planner.scripts.warnings + unreached + retries + names + unvalidated
      return (plan.problems, warnings.filter { seen.insert($0).inserted })
    } catch {
      let scripts = LoadedScripts(stages.declarations(of: pipeline).transforms, of: pipeline)
      return (
        PipelineFileError(problems(of: error, pipeline) + scripts.problems).problems,
        scripts.warnings.filter { seen.insert($0).inserted }
      )
    }
  }

  /// The scripts, loaded once.
  private var scripts: LoadedScripts {
    shared.scripts { LoadedScripts(declarations.transforms, of: pipeline) }
  }

  /// An error of the models, as one of the file that names them.
  private static func problems(of error: any Error, _ pipeline: Pipeline) -> [Problem] {
    if let error = error as? PipelineFileError { return error.problems }
    return [
      Problem(
        file: pipeline.file, line: pipeline.line(of: "models"), message: "\(error)",
        isRefusal: RunStatus.of(error) == 4)
    ]
  }
}

/// What the plans of one pipeline have in common, whichever store they are for: scripts, mappings
/// and answers, each read or worked out once.
final class SharedPlanning: Sendable {
  private struct Known {
    var scripts: LoadedScripts?
    /// Each with the models that it was inferred from.
    var mappings: [(models: [Model], found: Mapping)] = []
    /// The answers to what is open, by its name.
    var answers: [(models: [Model], found: [String: [String]])] = []
  }

  private let known = Mutex(Known())

  /// The scripts; two plans that begin at once may both load them.
  func scripts(_ load: () -> LoadedScripts) -> LoadedScripts {
    if let known = known.withLock({ $0.scripts }) { return known }
    let scripts = load()
    known.withLock { $0.scripts = scripts }
    return scripts
  }

  /// The mapping between two versions, the last two of the `models` that it is inferred from; the
  /// pipeline has the same stages for them each time.
  func mapping(of models: [Model], _ infer: () -> Mapping) -> Mapping {
    shared(\.mappings, of: models, infer)
  }

  /// The answers to what is open between two versions.
  func answers(
    of models: [Model], _ find: () -> [String: [String]]
  ) -> [String: [String]] {
    shared(\.answers, of: models, find)
  }

  private func shared<Found: Sendable>(
    _ list: WritableKeyPath<Known, [(models: [Model], found: Found)]>,
    of models: [Model], _ find: () -> Found
  ) -> Found {
    let identities = models.map(\.identity)
    let found = known.withLock { known in
      known[keyPath: list].last { $0.models.map(\.identity) == identities }?.found
    }
    if let found { return found }
    let new = find()
    known.withLock { known in
      // Stores that keep a model of their own have one each.
      if known[keyPath: list].count == Self.most { known[keyPath: list].removeFirst() }
      known[keyPath: list].append((models, new))
    }
    return new
  }

  private static let most = 16
}
