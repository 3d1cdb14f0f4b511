internal import CoreDataStore
internal import Foundation
internal import OperatingSystem
internal import StoreMigration

/// The step of a plan that gives a script its objects.
struct TrialPlan {
  let step: PlannedStep
  /// The script's place in it.
  let script: PlannedScript

  /// Finds the script among the steps of a plan.
  ///
  /// What is wrong elsewhere in the pipeline does not keep a script from being tried.
  ///
  /// - Throws: ``PipelineFileError`` when it is nowhere, or when it has mistakes itself.
  init(
    _ plan: Plan, _ wanted: TrialModels.Script, from version: String? = nil, isAlone: Bool
  ) throws {
    let path = FileSystem.resolved(wanted.path)
    let all = plan.steps.flatMap { step in step.scripts.map { (step: step, script: $0) } }
    let found = all.filter { step, script in
      FileSystem.resolved(script.path) == path && (version == nil || step.from.name == version)
    }
    let chosen = found.first { wanted.entity == nil || $0.script.entity == wanted.entity }
    try Self.refuse(plan.problems.filter { FileSystem.resolved($0.file) == path })
    guard let chosen else {
      throw Self.missing(wanted, plan, all.map(\.script), found.map(\.script))
    }
    (step, script) = chosen
    try Self.refuse(Self.problems(plan, chosen.step, chosen.script, isAlone: isAlone))
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
