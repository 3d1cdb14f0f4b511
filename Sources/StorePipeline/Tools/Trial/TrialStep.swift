internal import CoreDataStore
internal import Foundation
internal import Lua
internal import StoreMigration
internal import StoreReplacement

/// One step carried out on a small store, in a folder of its own: what a run does, without an end.
///
/// The store that is built stays as it is when all scripts have done their work, so that one can
/// still ask which object came of which; a step that leads to another one is finished then.
final class TrialStep {
  let step: PlannedStep
  /// The script that is tried; nil in a step that leads to it.
  let script: PlannedScript?
  private let builder: StoreBuilder
  private let work: StepBuilder
  private let folder: WorkFolder
  private let log: RunLog
  /// The new store's file.
  let path: String

  /// The name that a trial gives its run: what scripts draw by chance is the same each time.
  private static let run = "trial"

  /// What a trial is given in addition to its steps.
  struct Choices {
    /// The folder in which the new stores are built.
    var folder: String
    /// The folder of the source's external values.
    var external: String
    /// What happens to an object that a script fails on; nil for what its stage says.
    var onError: ScriptOptions.OnError?
    /// What every script takes for now.
    var now = Date(timeIntervalSinceReferenceDate: 800_000_000)
  }

  /// Gets ready; nothing is done yet.
  ///
  /// `number` distinguishes the steps of a trial.
  init(
    _ step: PlannedStep, _ script: PlannedScript?, number: Int = 0, source: String,
    _ choices: Choices
  ) throws {
    (self.step, self.script) = (step, script)
    folder = WorkFolder(copy: source, work: choices.folder, externals: choices.external)
    try folder.make()
    path = "\(choices.folder)/next-\(number).sqlite"
    builder = try StoreBuilder(
      at: path, source: source, sourceSchema: step.sourceSchema, mapping: step.mapping,
      targetSchema: step.targetSchema,
      contents: try NewStoreContents(like: source, to: step.to, cache: .none, isBrief: true),
      externalFolder: choices.external, newExternals: folder.nextExternals, life: .temporary)
    var facts = StepBuilder.ScriptFacts(
      run: Self.run, now: choices.now,
      rejects: "\(choices.folder)/rejects-\(number).sqlite", showsValues: true,
      canceller: LuaCanceller())
    facts.onError = choices.onError
    facts.mostFailures = .max
    facts.endsAtFailures = false
    work = StepBuilder(step, builder, facts)
    log = RunLog(run: Self.run, store: source) { _ in }
  }

  /// Carries it out, in the order of a run.
  ///
  /// - Throws: ``ScriptFailure`` when a script fails and no more is to be done then.
  func run() throws {
    do {
      try work.copyUnclaimed(ChunkLimits(), log)
      for script in step.scripts { try work.transform(script, log) }
      try work.connect(log)
    } catch let failure as ScriptFailure {
      throw inTrial(failure)
    }
  }

  /// Lets the stages in Lua among `stages` change the objects, and makes the store one that the
  /// next step can read; it is closed then.
  func finish(_ stages: StageRegistry) throws {
    for stage in step.stages {
      guard let file = stages.kind(named: stage.name)?.file else { continue }
      try work.revise { builder, number, facts in
        try StageRun(file, stage, builder, number: number, facts, keepsHistory: true, log).run()
      }
    }
    var choices = FinishChoices()
    choices.checksFile = false
    _ = try work.finish(choices, folder, log)
  }

  var warnings: [ScriptWarning] { own.flatMap(\.warnings) }
  /// The objects that the script failed on; those of every script in a step that leads to it.
  var failures: [ScriptFailure] { own.flatMap(\.failures).map(inTrial) }

  private var own: [ScriptRun] {
    guard let script else { return work.scripts }
    return work.scripts.filter {
      $0.outline.path == script.outline.path && $0.entity == script.entity
    }
  }

  /// Reads both stores, as the scripts of an entity's objects reach them.
  func reader(of entity: String) throws -> TrialReader {
    try TrialReader(ScriptedCopy(builder, entity: entity), step)
  }

  /// Lets go of both stores.
  func close() { work.close() }

  /// A failure as it is where there is no run to resume, with the step if it is an earlier one.
  private func inTrial(_ failure: ScriptFailure) -> ScriptFailure {
    var failure = failure
    if script == nil { failure.doing += " in the earlier step to '\(step.to.name)'" }
    failure.remedy = "Correct the script and try again."
    return failure
  }
}
