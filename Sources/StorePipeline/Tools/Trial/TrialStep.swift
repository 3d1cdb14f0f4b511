internal import CoreDataStore
internal import Foundation
internal import Lua
internal import StoreMigration

/// One step carried out on a small store, in a folder of its own: what a run does, without an end.
///
/// The store that is built stays as it is when all scripts have done their work, so that one can
/// still ask which object came of which.
final class TrialStep {
  let step: PlannedStep
  let script: PlannedScript
  private let builder: StoreBuilder
  private let work: StepBuilder
  private let log: RunLog

  /// The name that a trial gives its run: what scripts draw by chance is the same each time.
  private static let run = "trial"

  /// What a trial is given in addition to its step.
  struct Choices {
    /// The folder in which the new store is built.
    var folder: String
    /// The folder of the source's external values.
    var external: String
    /// What happens to an object that a script fails on; nil for what its stage says.
    var onError: ScriptOptions.OnError?
    /// What every script takes for now.
    var now = Date(timeIntervalSinceReferenceDate: 800_000_000)
  }

  /// Gets ready; nothing is done yet.
  init(_ plan: TrialPlan, source: String, _ choices: Choices) throws {
    (step, script) = (plan.step, plan.script)
    let path = "\(choices.folder)/next.sqlite"
    builder = try StoreBuilder(
      at: path, source: source, sourceSchema: step.sourceSchema, mapping: step.mapping,
      targetSchema: step.targetSchema, contents: NewStoreContents(),
      externalFolder: choices.external,
      newExternals: "\(choices.folder)/next_EXTERNAL")
    var facts = StepBuilder.ScriptFacts(
      run: Self.run, now: choices.now,
      rejects: "\(choices.folder)/rejects.sqlite", showsValues: true,
      canceller: LuaCanceller())
    facts.onError = choices.onError
    facts.mostFailures = .max
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
      throw failure.inTrial
    }
  }

  var warnings: [ScriptWarning] { own?.warnings ?? [] }
  /// The objects that it failed on.
  var failures: [ScriptFailure] { (own?.failures ?? []).map(\.inTrial) }
  /// What happened to its objects.
  var counts: ScriptCounts { own?.counts ?? ScriptCounts() }

  private var own: ScriptRun? {
    work.scripts.first { $0.outline.path == script.outline.path && $0.entity == script.entity }
  }

  /// Reads both stores, as scripts reach them.
  func reader() throws -> TrialReader {
    try TrialReader(ScriptedCopy(builder, entity: script.entity), step)
  }

  /// Lets go of both stores.
  func close() { work.close() }
}

extension ScriptFailure {
  /// The same failure where there is no run to resume.
  fileprivate var inTrial: ScriptFailure {
    var failure = self
    failure.remedy = "Mend the script and try again."
    return failure
  }
}
