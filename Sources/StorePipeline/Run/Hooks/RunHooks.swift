internal import CoreDataStore
internal import StoreReplacement

/// The programs of one run, and the moments at which they are started.
struct RunHooks {
  // It is held by what it speaks of.
  private unowned let work: RunWork
  private var plan: Plan { work.plan }

  init(_ work: RunWork) { self.work = work }

  /// Starts the program of a stage whose turn has come.
  func run(_ stage: PipelineStage) throws {
    try start(stage, facts(at: nil), stops: { Task.isCancelled })
  }

  /// Starts those that want to be heard at a moment; a failure ends the run.
  func tell(_ moment: HookMoment) throws {
    for stage in stages(moment) { try start(stage, facts(at: moment), stops: { Task.isCancelled }) }
  }

  /// Tells that the new store is in its place; what fails is a warning.
  func tellSwapped() { warnOfFailures(.swapped, facts(at: .swapped)) }

  /// Tells how the run has ended; what fails is a warning.
  func tellEnd(status: Int32, outcome: String) {
    for moment in [HookMoment.failed, .finished] where moment == .finished || status != 0 {
      warnOfFailures(moment, facts(at: moment, status: status, outcome: outcome))
    }
  }

  /// A dry run starts none.
  private func stages(_ moment: HookMoment) -> [PipelineStage] {
    guard work.options.dryRun == nil else { return [] }
    return plan.pipeline.stages.map(\.stage).filter {
      $0.name == HookStage.description.name && $0.moments.contains(moment)
    }
  }

  private func warnOfFailures(_ moment: HookMoment, _ facts: HookFacts) {
    for stage in stages(moment) {
      do {
        try start(stage, facts, stops: { false })
      } catch {
        work.log.warn("\(error)")
      }
    }
  }

  private func start(
    _ stage: PipelineStage, _ facts: HookFacts, stops: () -> Bool
  ) throws {
    let environment = work.options.environment
    let command = try HookCommand(stage, of: plan.pipeline, environment: environment)
    let name = PipelinePath.name(of: command.program)
    try ProgramRun(command: command, facts: facts, environment: environment)
      .run(stops: stops) { work.log.output("\(name): \($0)") }
  }

  private func facts(
    at moment: HookMoment?, status: Int32? = nil, outcome: String? = nil
  ) -> HookFacts {
    var known = [
      "run": work.log.run, "store": work.store, "file": plan.pipeline.file,
      "target": plan.target.name,
    ]
    known["source"] = plan.source?.name
    known["moment"] = moment?.rawValue
    known["status"] = status.map { "\($0)" }
    known["outcome"] = outcome
    known["new_store"] = work.newStore
    known["backup"] = work.tally.backup
    return HookFacts(known)
  }
}

extension Run {
  /// Refuses to start programs that the user does not trust as they are now.
  func checkTrust() throws {
    guard options.dryRun == nil else { return }
    guard let trust = try HookTrust(plan.pipeline, environment: options.environment) else { return }
    guard try !options.trust.has(trust) else { return }
    let programs = trust.programs.map {
      "  \($0.words.joined(separator: " "))  (\($0.path))".oneLine
    }
    throw RunFailure(
      .misuse, what: "cannot run programs that nobody trusts", subject: plan.pipeline.file,
      why: "It starts these, and has not been trusted as it is now:\n"
        + programs.joined(separator: "\n"),
      remedy: "Look at them. Then type: \(SuggestedCommand.text(["trust", plan.pipeline.file]))")
  }
}
