internal import CoreDataStore
internal import StoreMigration

/// The step of a script on a small store, with those that the objects go through before it.
struct TrialSteps {
  /// The script's own step, ready to run.
  let last: TrialStep
  let script: PlannedScript
  /// What each given object has become on the way, as far as the script is given it.
  let arrived: [[ObjectID]]
  /// What scripts of the earlier steps failed on.
  let failures: [ScriptFailure]
  /// The failure that kept a given object from the script, by the object's place.
  let stopped: [Int: ScriptFailure]

  /// Carries out the earlier steps.
  ///
  /// - Parameters:
  ///   - plan: The plan of the trial.
  ///   - source: The small store, of the version that the first step reads.
  ///   - given: The objects of it that are followed.
  ///   - choices: What else a trial is given.
  ///   - look: Gets the reader of the first step when that has run.
  /// - Throws: ``ScriptFailure`` when a script of an earlier step fails and the choices say that
  ///   no more is done then.
  init(
    _ plan: TrialPlan, source: String, given: [ObjectID], _ choices: TrialStep.Choices,
    looking look: (TrialReader) throws -> Void = { _ in }
  ) throws {
    var path = source
    var objects = given.map { [$0] }
    var failures: [ScriptFailure] = []
    var stopped: [Int: ScriptFailure] = [:]
    for (number, step) in plan.before.enumerated() {
      let trial = try TrialStep(step, nil, number: number, source: path, choices)
      defer { trial.close() }
      try trial.run()
      if number == 0, let first = given.first { try look(trial.reader(of: first.entity)) }
      failures += trial.failures
      for (place, ids) in objects.enumerated() {
        let failure = trial.failures.first { failure in
          ids.contains { $0.entity == failure.entity && $0.key == failure.key }
        }
        stopped[place] = stopped[place] ?? failure
        objects[place] = try ids.flatMap { try trial.reader(of: $0.entity).made(from: $0) }
      }
      try trial.finish(plan.stages)
      path = trial.path
    }
    let script = plan.script
    last = try TrialStep(plan.last, script, number: plan.before.count, source: path, choices)
    arrived = objects.map { $0.filter { $0.entity == script.entity } }
    (self.script, self.failures, self.stopped) = (script, failures, stopped)
  }

  /// Reads both stores of the script's step.
  func reader() throws -> TrialReader { try last.reader(of: script.entity) }
}
