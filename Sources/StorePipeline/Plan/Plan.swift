public import CoreDataStore
internal import Formats

/// What will be done, in order: a pipeline applied to models and, when there is one, a store.
///
/// It is a value: it can be printed, compared by its ``digest``, and run by a second call. A plan
/// with problems is to be shown, not carried out.
public struct Plan: Sendable {
  /// The pipeline it was made from.
  public let pipeline: Pipeline
  /// The store's version; nil without a store, when ``steps`` serve every version that is accepted.
  public let source: Model?
  /// The version it leads to.
  public let target: Model
  /// The steps that remain, in order; none when the store is of the target version already.
  public let steps: [PlannedStep]
  /// What is wrong, in the order of lines.
  public let problems: [Problem]
  /// What the user should know although nothing is wrong.
  public internal(set) var warnings: [String]
  /// What happens to object URIs that an application saved.
  public let uris: PlannedURIs
  /// The room it takes; nil without a store.
  public package(set) var space: PlannedSpace?
  /// What distinguishes this plan from any other.
  public let digests: PlanDigests
  /// What it was given from outside.
  package let settings: PlanSettings
  /// What the stages of the pipeline declare.
  let declarations: StageDeclarations
  /// What the store was when the plan was made; nil without a store.
  package var moment: StoreMoment?

  /// A plan in all its parts.
  package init(
    pipeline: Pipeline, source: Model?, target: Model, steps: [PlannedStep], problems: [Problem],
    warnings: [String], uris: PlannedURIs, space: PlannedSpace?, digests: PlanDigests,
    settings: PlanSettings = PlanSettings(), declarations: StageDeclarations
  ) {
    self.pipeline = pipeline
    self.source = source
    self.target = target
    self.steps = steps
    self.problems = problems
    self.warnings = warnings
    self.uris = uris
    self.space = space
    self.digests = digests
    self.settings = settings
    self.declarations = declarations
  }

  /// Whether a store is there and of the target version already, so that nothing is to be done.
  public var isCurrent: Bool { source != nil && steps.isEmpty }

  /// The SHA-256 of all that decides what a run does, in hexadecimal digits; `resume` compares it.
  public var digest: String { digests.combined }
}

/// The SHA-256 of the parts of a plan, in hexadecimal digits.
public struct PlanDigests: Sendable, Hashable {
  /// What the pipeline says.
  public let pipeline: String
  /// All scripts, with what they require.
  public let scripts: String
  /// The version hashes of the models, from the first to the last.
  public let models: String

  /// All of them by what they are of, each script by its name in the file.
  package let parts: [String: String]

  /// Digests that are known already; those of scripts by their names.
  package init(pipeline: String, scripts: [(name: String, digest: String)], models: String) {
    self.pipeline = pipeline
    self.scripts = Self.of(scripts.map(\.digest))
    self.models = models
    let named = scripts.map { ("script \($0.name)", $0.digest) }
    parts = Dictionary([("pipeline", pipeline), ("models", models)] + named) { Self.of([$0, $1]) }
  }

  /// That of each script by its name in the file, in the order of the names.
  var ofScripts: [(name: String, digest: String)] {
    let prefix = "script "
    return parts.filter { $0.key.hasPrefix(prefix) }.sorted { $0.key < $1.key }
      .map { (name: String($0.key.dropFirst(prefix.count)), digest: $0.value) }
  }

  /// The digest of them all.
  public var combined: String { Self.of([pipeline, scripts, models]) }

  /// The digest of texts in their order.
  static func of(_ texts: [String]) -> String {
    Hex.encode(Digest.sha256(Array(texts.joined(separator: "\n").utf8)))
  }
}
