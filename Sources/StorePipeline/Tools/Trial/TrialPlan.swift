internal import CoreDataStore
internal import Foundation
internal import OperatingSystem
internal import StoreMigration

/// The step of a plan that gives a script its objects, and those that lead to it.
struct TrialPlan {
  /// The steps that the objects go through first.
  let before: [PlannedStep]
  let last: PlannedStep
  /// The script's place in it.
  let script: PlannedScript
  /// The stages that the pipeline has, those in Lua among them.
  let stages: StageRegistry

  /// The step that is given the objects of the store: the script's own if none comes before it.
  var step: PlannedStep { before.first ?? last }

  /// Finds the script among the steps of a plan.
  ///
  /// What is wrong elsewhere in the pipeline does not keep a script from being tried.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - wanted: The script.
  ///   - version: The version of the objects that are given; nil for the one of the script's step.
  ///   - isAlone: Whether the pipeline was made for the script.
  /// - Throws: ``PipelineFileError`` when it is nowhere, or when it has mistakes itself.
  init(
    _ plan: Plan, _ wanted: TrialModels.Script, from version: String? = nil, isAlone: Bool
  ) throws {
    let path = FileSystem.resolved(wanted.path)
    let all = plan.steps.flatMap { step in step.scripts.map { (step: step, script: $0) } }
    let named = all.filter { FileSystem.resolved($0.script.path) == path }
    // A script may serve several steps: the one at the version comes first.
    let found = named.compactMap { step, script in
      Self.way(from: version ?? step.from.name, to: step, in: plan.steps)
        .map { (before: $0, step: step, script: script) }
    }.sorted { $0.before.count < $1.before.count }
    let chosen = found.first { wanted.entity == nil || $0.script.entity == wanted.entity }
    try Self.refuse(plan.problems.filter { FileSystem.resolved($0.file) == path })
    guard let chosen else {
      if let version, let only = named.first, found.isEmpty {
        throw Self.unreached(wanted, plan, only.step, from: version)
      }
      throw Self.missing(wanted, plan, all.map(\.script), found.map(\.script))
    }
    (before, last, script) = chosen
    stages = StageRegistry.standard.with(plan.pipeline.plugins.map(\.stage))
    try Self.refuse(Self.problems(plan, chosen.step, chosen.script, isAlone: isAlone))
  }

  /// The steps from a version to the one that a step starts at; nil when they do not lead there.
  private static func way(
    from version: String, to step: PlannedStep, in steps: [PlannedStep]
  ) -> [PlannedStep]? {
    var (way, current): ([PlannedStep], String) = ([], version)
    while current != step.from.name {
      // A step back to where the way has been before would never end.
      guard way.count < steps.count, let next = steps.first(where: { $0.from.name == current })
      else { return nil }
      way.append(next)
      current = next.to.name
    }
    return way
  }

  /// Whether steps lead from a version to another, or the two are one.
  private static func way(
    from first: String, to last: String, in steps: [PlannedStep]
  ) -> Bool {
    first == last
      || steps.contains { step in
        step.to.name == last && way(from: first, to: step, in: steps) != nil
      }
  }

  private static func unreached(
    _ wanted: TrialModels.Script, _ plan: Plan, _ step: PlannedStep, from version: String
  ) -> PipelineFileError {
    let isLater = way(from: step.to.name, to: version, in: plan.steps)
    let why =
      isLater
      ? "'\(version)' is a later version: write from = \(LuaText.quoted(step.from.name)), or that "
        + "of a version before it"
      : "no steps lead from '\(version)' to there"
    return PipelineFileError([
      Problem(
        file: plan.pipeline.file, line: 0,
        message: "\(wanted.path) is given objects of '\(step.from.name)', and \(why)")
    ])
  }

  /// The entities of the first version whose objects may become what the script is given: those
  /// that the mappings lead from; where there are none, those whose scripts make it.
  var origins: [String] {
    before.reversed().reduce([script.entity]) { names, step in
      names.reduce(into: []) { found, name in
        let mapped = step.mapping.objects(into: name).filter { !$0.isAbstract }.map(\.source)
        let making = step.scripts.filter { $0.outline.creates.contains(name) }.map(\.entity)
        for origin in mapped.isEmpty ? making : mapped where !found.contains(origin) {
          found.append(origin)
        }
      }
    }
  }

  private static func refuse(_ problems: [Problem]) throws {
    if !problems.isEmpty { throw PipelineFileError(problems) }
  }

  /// What the mapping has no answer for, of the script's own entity.
  private static func problems(
    _ plan: Plan, _ step: PlannedStep, _ script: PlannedScript, isAlone: Bool
  ) -> [Problem] {
    let target = step.mapping.objects(from: script.entity)?.target
    let names = Set([script.entity, target].compactMap(\.self))
    return step.mapping.problems.filter { problem in
      let subject = problem.subject.prefix { $0 != "." }
      return ![.loss, .undecided].contains(problem.kind) && names.contains(String(subject))
    }.map {
      Problem(
        file: isAlone ? script.path : plan.pipeline.file, line: isAlone ? 0 : $0.line ?? 0,
        message: "\($0.subject): \($0.why)")
    }
  }

  private static func missing(
    _ wanted: TrialModels.Script, _ plan: Plan, _ all: [PlannedScript], _ found: [PlannedScript]
  ) -> PipelineFileError {
    let file = plan.pipeline.file
    guard found.isEmpty else {
      let names = found.map { "'\($0.entity)'" }.joined(separator: ", ")
      return PipelineFileError([
        Problem(
          file: file, line: 0,
          message: "\(wanted.path) is not given the objects of '\(wanted.entity ?? "")', "
            + "but those of \(names)")
      ])
    }
    let names = all.map(\.path).joined(separator: ", ")
    return PipelineFileError([
      Problem(
        file: file, line: 0,
        message: "no transform that would run names \(wanted.path)"
          + NearestName.suggestion(for: wanted.path, among: all.map(\.path))
          + (all.isEmpty ? "; there is none" : "; there are: \(names)"))
    ])
  }
}
