import CoreDataStore

/// Which steps lead from a version to the target.
struct VersionChain {
  /// One step of the way.
  struct Hop {
    let from: Model
    let to: Model
    /// The step of the file; nil where the mapping is direct.
    let step: PipelineStep?
    /// The stages that belong to it.
    let stages: [PipelineStage]
  }

  /// The version that everything leads to.
  let target: Model
  private let pipeline: Pipeline
  private let library: ModelLibrary
  private let stages: StageRegistry
  private let steps: [(step: PipelineStep, model: Model)]

  /// Looks for the versions that a file names.
  ///
  /// - Throws: ``PipelineFileError`` when some are not there.
  init(_ pipeline: Pipeline, _ library: ModelLibrary, stages: StageRegistry) throws {
    let problems = Self.unknown(pipeline, library)
    guard problems.isEmpty else { throw PipelineFileError(problems) }
    self.pipeline = pipeline
    self.library = library
    self.stages = stages
    steps = try pipeline.steps.map { ($0, try library.model(named: $0.version)) }
    if let name = pipeline.target {
      target = try library.model(named: name)
    } else {
      target = try steps.last?.model ?? library.current
    }
  }

  private static func unknown(_ pipeline: Pipeline, _ library: ModelLibrary) -> [Problem] {
    let named =
      [(pipeline.target, "target")].compactMap { name, option in
        name.map { ($0, pipeline.line(of: option)) }
      } + (pipeline.accept ?? []).map { ($0, pipeline.line(of: "accept")) }
      + pipeline.steps.map { ($0.version, $0.line) }
    return named.filter { !library.has($0.0) && !library.isMerged($0.0) }.map { name, line in
      let near = NearestName.version(name, among: library.versions)
        .map { "; did you mean '\($0)'?" }
      let known = library.versions.prefix(20).map { "'\($0)'" }.joined(separator: ", ")
      return Problem(
        file: pipeline.isStandard ? "--to" : pipeline.file, line: line,
        message: "the models have no version '\(name)'\(near ?? "; they have \(known)")")
    }
  }

  /// The versions that the file takes, the target not among them.
  var sources: [Model] {
    get throws {
      try (pipeline.accept ?? earlier).map(library.model(named:)).filter { !$0.isSame(as: target) }
    }
  }

  /// The names of the versions before the target; of all others when it is the first.
  private var earlier: [String] {
    let parts = ModelLibrary.parts(of: target.name).filter(library.has)
    let names = parts.flatMap { part in library.siblings(of: part).prefix { $0 != part } }
    guard names.isEmpty else { return names }
    return parts.flatMap { part in library.siblings(of: part).filter { $0 != part } }
  }

  /// Whether the file takes stores of a version.
  func accepts(_ model: Model) throws -> Bool {
    guard let accept = pipeline.accept else { return true }
    let parts = ModelLibrary.parts(of: model.name) + [model.name]
    return try accept.contains { name in
      try parts.contains(name) || library.model(named: name).isSame(as: model)
    }
  }

  /// The steps that remain from a version on, none when it is the target; nil when the version
  /// comes after the target and the file does not ask for the way back.
  func hops(from source: Model, force: Bool = false) throws -> [Hop]? {
    guard !source.isSame(as: target) else { return force ? again : [] }
    guard !steps.isEmpty else {
      let isLater = pipeline.accept == nil && isLater(source)
      return isLater ? nil : [hop(source, target, nil)]
    }
    guard let first = firstStep(from: source) else { return nil }
    var from = source
    return steps[first...].map { step, model in
      defer { from = model }
      return hop(from, model, step)
    }
  }

  /// A step that stands below one of a later version, by the order of 'accept' or of the models.
  var misplaced: Problem? {
    let accepted = pipeline.accept.map { $0 + [target.name] } ?? []
    let orders = [accepted] + ModelLibrary.parts(of: target.name).map(library.siblings)
    for (one, next) in zip(steps, steps.dropFirst()) {
      let (earlier, later) = (next.step.version, one.step.version)
      let order = orders.first { $0.contains(earlier) && $0.contains(later) }
      guard let first = order?.firstIndex(of: earlier), let last = order?.firstIndex(of: later),
        first < last
      else { continue }
      return Problem(
        file: pipeline.file, line: next.step.line,
        message: "step '\(earlier)' stands below step '\(later)' (line \(one.step.line)), which is "
          + "the later version: put it above. If '\(earlier)' is the later one, list the versions "
          + "in 'accept' in their order")
    }
    return nil
  }

  /// Steps that no version which the file takes goes through.
  var unreached: [Problem] {
    get throws {
      let taken = try sources
      guard !taken.isEmpty else { return [] }
      let done = try taken.flatMap { try hops(from: $0) ?? [] }.map(\.to.name)
      return steps.filter { !done.contains($0.model.name) }.map { step, _ in
        Problem(
          file: pipeline.file, line: step.line,
          message: "step '\(step.version)' is never done: no version that the file takes comes "
            + "before it, and a step has the name of the version that it leads to")
      }
    }
  }

  /// The last step once more, from the target to itself.
  var again: [Hop] { [hop(target, target, steps.last?.step)] }

  private func hop(_ from: Model, _ to: Model, _ step: PipelineStep?) -> Hop {
    let direct = pipeline.stages.filter { stage, step in
      step == nil && stages[stage.name]?.place == .inStep
    }.map(\.stage)
    return Hop(from: from, to: to, step: step, stages: step?.stages ?? direct)
  }

  private func isLater(_ source: Model) -> Bool {
    ModelLibrary.parts(of: target.name).contains { name in
      // A store of one version is one of all versions with its hashes.
      guard let own = library.places(of: source, besides: name).first,
        let end = library.places(of: target, besides: name).last
      else { return false }
      return own > end
    }
  }

  /// The step behind the one that makes the version; or else the first to a later version.
  private func firstStep(from source: Model) -> Int? {
    if let made = steps.lastIndex(where: { $0.model.isSame(as: source) }) { return made + 1 }
    let found = steps.firstIndex { step, model in
      guard let own = library.places(of: source, besides: step.version).first,
        let next = library.places(of: model, besides: step.version).last
      else { return false }
      return own <= next
    }
    return found ?? (pipeline.accept == nil ? nil : 0)
  }
}
