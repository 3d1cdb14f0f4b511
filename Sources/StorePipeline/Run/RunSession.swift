internal import CoreDataStore
internal import Foundation
internal import Lua
internal import StoreMigration
internal import StoreReplacement

/// One run: what happens, in the order in which it happens.
///
/// `run` goes through the schedule, unit by unit. Five things change on the way: the plan, which is
/// made again when the store has changed before the lock; the lock with the run's state; the step
/// whose store is being built; the stores that are read; and what is counted for the summary.
final class RunSession {
  /// What does not change.
  let basis: RunBasis
  /// The plan that is carried out.
  private(set) var plan: Plan
  /// What is counted for the summary.
  var tally: SummaryBuilder

  /// The lock and the state, once the run has them.
  private(set) var place: LockedRun?
  private var current: (index: Int, builder: StepBuilder)?
  private let temporary: TemporaryWorkFolder?
  /// The new store and its source, closed before anything but reading both.
  let readers = OpenedStores()
  /// Whether all that this run does is to finish the swap of another pipeline file's run.
  private(set) var finishesForAnother = false

  init(
    _ run: Run, _ canceller: LuaCanceller, _ events: @escaping @Sendable (ProgressEvent) -> Void
  ) throws {
    temporary = try run.options.dryRun.map { _ in
      try TemporaryWorkFolder(store: run.store, in: run.options.work)
    }
    let folder =
      try temporary?.folder ?? run.options.folder
      ?? WorkFolder(store: run.store, work: run.options.work)
    basis = try RunBasis(run, folder, canceller, events)
    plan = run.plan
    tally = SummaryBuilder(run.plan)
  }

  var log: RunLog { basis.log }
  var options: RunOptions { basis.options }
  var folder: WorkFolder { basis.folder }
  var hooks: RunHooks { RunHooks(self) }
  /// All that is done, in order: of the plan that is carried out.
  private lazy var schedule = RunSchedule(plan, options, stages: basis.stages)
}

// From the first event to the last.
extension RunSession {
  /// Does everything that is left to do.
  func run() async throws -> RunResult {
    defer { close() }
    log.start()
    do {
      for warning in try basis.warnings(of: plan) { log.warn(warning) }
      let end = try await outcome()
      warnOfAbsentChanges(end)
      warnOfStagesCut(end)
      var summary = try summary(end)
      let report = report(of: summary)
      summary.lost = report?.run?.lost
      leave(summary)
      write(report, summary)
      hooks.tellEnd(status: summary.status, outcome: summary.outcome.word)
      summary.warnings = log.warnings
      log.finish(summary)
      return RunResult(summary: summary, report: report)
    } catch {
      let error = reason(of: error)
      place?.leave(failure: JSONRunSummary.failed(basis.id.text, of: basis.store, plan, error))
      place?.note(error)
      close()
      hooks.tellEnd(status: RunStatus.of(error), outcome: "failed")
      log.finish(error)
      throw error
    }
  }

  private func outcome() async throws -> RunSummary.Outcome {
    do {
      // The stage that opens the stores may take another plan, and so what comes after it changes.
      var done = 0
      if try finishLeftSwap() {
        tally.outcome = .swapped
        hooks.tellSwapped()
        done = finishesForAnother ? schedule.units.count : schedule.swapEnd
        if let name = options.until, !schedule.units[done...].contains(where: { $0.has(name) }) {
          warnOfStagesLeft(done, until: name)
          done = schedule.units.count
        }
      } else if !plan.isCurrent {
        // From here on the store is the old one: a program that archives it finds what it expects.
        try hooks.tell(.started)
      }
      while done < schedule.units.count {
        let unit = schedule.units[done]
        done += 1
        let wasSwapped = isSwapped
        guard try await perform(orWarn: unit) else { break }
        if isSwapped, !wasSwapped { hooks.tellSwapped() }
        if let name = options.until, schedule.isLastStage(unit, named: name) {
          try flatten()
          guard tally.outcome != nil else { return .stopped(after: name) }
          warnOfStagesLeft(done, until: name)
          break
        }
      }
      try flatten()
      return endOfPipeline
    } catch let end as RunEnd {
      if let fresh = end.plan { take(fresh) }
      if let preflight = end.preflight { tally.refuse(preflight) }
      return end.outcome
    }
  }

  /// Says which stages do not run because the user ended the run behind the swap: there is nothing
  /// to resume.
  private func warnOfStagesLeft(_ done: Int, until name: String) {
    let left = schedule.units[done...].compactMap(\.stage).filter(hasTurn).map(\.name)
    guard !left.isEmpty else { return }
    let why =
      isSwapped ? ", and no later command runs them, because the new store is in its place" : ""
    log.warn(
      "the run has ended after \(name), as asked: these stages did not run\(why): "
        + left.joined(separator: ", "))
  }

  /// Whether a stage does its work in its turn; a program may wait for a moment instead.
  private func hasTurn(_ stage: PipelineStage) -> Bool {
    !plan.declarations.hooks.contains { $0.line == stage.line && !$0.moments.isEmpty }
  }

  /// Says that a run which was killed behind the swap may have left out stages there: a program
  /// that is started twice may do harm, so that none is.
  private func warnOfStagesCut(_ outcome: RunSummary.Outcome) {
    let stages = schedule.behindSwap.compactMap(\.stage).filter(hasTurn)
    let isLate = { (hook: StageDeclarations.Hook) in
      hook.moments.contains { [.swapped, .finished].contains($0) }
    }
    let names = stages.map(\.name) + plan.declarations.hooks.filter(isLate).map { _ in "hook" }
    guard case .upToDate = outcome, options.dryRun == nil, !names.isEmpty,
      let state = try? RunState.look(at: folder), state.work == .run, state.phase == .done,
      (try? Store(folder.store, isBrief: true).metadata.lastRun) == state.run,
      recordedRun != state.run
    else { return }
    log.warn(
      "the run \(state.run) was cut short when the new store was in its place: some stages may not "
        + "have run (\(names.joined(separator: ", "))). Do by hand what they would have done; "
        + "`\(folder.command("clean"))` ends this warning")
  }

  /// Does a piece of the work; false when the user ends the run and there is nothing to undo.
  ///
  /// A status other than 0 means that the old store is in place: once the new one is, what fails or
  /// is cut short is a warning.
  private func perform(orWarn unit: RunSchedule.Unit) async throws -> Bool {
    guard isSwapped else {
      try await perform(unit)
      return true
    }
    do {
      try await perform(unit)
    } catch let error as RunEnd {
      throw error
    } catch is CancellationError {
      log.warn("stopped behind the swap: the new store is in its place")
      return false
    } catch {
      log.warn(error)
    }
    return true
  }

  private func perform(_ unit: RunSchedule.Unit) async throws {
    try Task.checkCancellation()
    if !unit.leavesOpen(basis.stages) { readers.close() }
    switch unit {
    case .stage(let stage, nil): try await perform(stage)
    case .stage(let stage, let step?): try await perform(stage, in: step)
    case .verifyMade(let step): try verifyMade(step)
    case .complete(let step): try complete(step)
    case .verify(let step, let sample):
      guard !isComplete(step) else { return }
      log.start(stage: RunLog.verify)
      try verify(step, sample: sample)
      log.finish(stage: RunLog.verify)
    case .closeStep(let step): try closeStep(step)
    case .check: try checkNewStore()
    case .compare: try compare()
    case .keep: try keepResult()
    }
  }

  private func perform(_ stage: PipelineStage, in step: Int) async throws {
    if isComplete(step) { return }
    try enter(step)
    // What has begun to be changed is not made again.
    let changes = basis.stages[stage.name]?.revises == true
    if try !changes && builder().isMade { return }
    try await perform(stage, of: plan.steps[step])
  }

  private func perform(_ stage: PipelineStage, of step: PlannedStep? = nil) async throws {
    guard let kind = basis.stages.kind(named: stage.name) else { return }
    log.start(stage: stage.name)
    try await kind.runnable(stage).run(RunContext(self, stage, step: step))
    log.finish(stage: stage.name)
  }

  /// Why a run has failed, in truth.
  ///
  /// What was cut short by the cancellation failed in its own way. It cuts no exchange short: what
  /// fails there has its own reason, and the store may not be as it was.
  private func reason(of error: any Error) -> any Error {
    let isExchanging = (try? RunState.read(folder))?.phase == .swapping
    if Task.isCancelled, !isExchanging, !tally.hasSwapFailed { return CancellationError() }
    return isSwapped ? error : basis.planning(plan).reason(of: error, place?.source)
  }

  /// Gives back the lock and whatever else is open.
  private func close() {
    readers.close()
    current?.builder.close()
    current = nil
    place?.close()
    temporary?.remove()
  }
}

// The copy that the run reads.
extension RunSession {
  /// Takes the lock, looks at what an earlier run left, and makes the copy.
  ///
  /// A store that another process has, or has just changed, may be of the target version by now:
  /// then nothing is left to do.
  func open(wait: Duration, checksSpace: Bool) throws {
    var opening = RunOpening(basis, plan, wait: wait, checksSpace: checksSpace)
    tally.sampled = try endingWhenCurrent {
      try opening.open(isBackedUp: tally.isBackedUp, keep: { place = $0 }, take: take)
    }
  }

  private func take(_ fresh: Plan) {
    plan = fresh
    schedule = RunSchedule(fresh, options, stages: basis.stages)
    tally.start(over: fresh)
    log.start(over: RunFraction(fresh, options, stages: basis.stages))
  }

  /// Does something, and ends the run with its best answer when another process has the store or
  /// has changed it: the store is of the target version by now.
  private func endingWhenCurrent<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as Failure where error.kind == .busy {
      guard let fresh = try? basis.planning(plan).again(.store), fresh.isCurrent else {
        throw error
      }
      if let place, !place.isResumed { try place.end() }
      throw RunEnd(outcome: .upToDate, plan: fresh)
    }
  }

  /// Notes that a stage has copied the store that was planned for.
  func noteBackup() { tally.isBackedUp = true }

  /// Whether a copy of the store is of what the run reads or is about to read; one that `isNew` was
  /// made just now.
  func isPlanned(_ copy: StoreBackup, isNew: Bool) throws -> Bool {
    if let source = place?.source { return copy.image == source.image }
    guard plan.moment?.isNow(folder.store) == true else { return false }
    return try isNew || SourceSnapshot.image(of: folder) == copy.image
  }

  /// The lock and the state; there is none before the stores are open.
  func opened() throws -> LockedRun {
    guard let place else { throw Self.early("the stores are not open yet") }
    return place
  }

  /// What is known of the pages of the copy that the run reads.
  var walk: StoreMoment.Walk? { place?.walk }

  private static func early(_ why: String) -> Failure {
    Failure(
      .misuse, what: "cannot run the stage", subject: "its place", why: "Here \(why).",
      remedy: "Put the stage further down in the pipeline.")
  }
}

// Steps.
extension RunSession {
  /// The store that the current step builds.
  func builder() throws -> StepBuilder {
    guard let current else { throw Self.early("no step has begun") }
    return current.builder
  }

  /// Whether a step's store was made whole, by this run or before it was interrupted.
  private func isComplete(_ step: Int) -> Bool { place.map { $0.finishedSteps > step } ?? false }

  /// Begins a step's store, or resumes it.
  private func enter(_ step: Int) throws {
    guard current?.index != step else { return }
    current = (step, try opened().work(on: step, options, basis.canceller))
  }

  /// Notes that the objects and links of a step are there, before stages change them; compares them
  /// with what they were built from, when a stage asks for that.
  private func verifyMade(_ step: Int) throws {
    guard !isComplete(step) else { return }
    try enter(step)
    guard try !builder().isMade else { return }
    if let verification = plan.declarations.verification {
      log.start(stage: verification.stage)
      // SQLite before 3.51.3 wants one connection to a file in WAL mode.
      try builder().close()
      current = nil
      try verify(step, sample: verification.sample, isFinished: false)
      log.finish(stage: verification.stage)
      try enter(step)
    }
    try builder().noteMade()
  }

  /// Makes the store of a step whole.
  private func complete(_ step: Int) throws {
    guard !isComplete(step) else { return }
    let isLast = step == plan.steps.count - 1
    var choices = isLast ? plan.declarations.metadata : plan.declarations.metadata.onTheWay
    if isLast {
      choices.runRecord = try opened().record(rejected: try rejectedCount)
      choices.marksHistory = plan.markOfHistory
    }
    choices.associations = folder.associations(ofStep: step)
    choices.isRevised = !plan.steps[step].revisions.isEmpty
    // The swap checks the file once more.
    choices.checksFile = !(isLast && options.until == nil && plan.declarations.swap != nil)
    log.start(stage: RunLog.finish)
    place?.stagedWalk = try builder().finish(choices, folder, log)
    current = nil
    log.finish(stage: RunLog.finish)
  }

  /// Makes a file of its own of the new store where that stays, and counts its objects before.
  private func flatten() throws {
    guard !isSwapped else { return readers.close() }
    current?.builder.close()
    current = nil
    count()
    try place?.flatten()
  }

  /// Notes that a step's store is the source of the next one; what it was built from goes.
  private func closeStep(_ step: Int) throws {
    if !isComplete(step) { try opened().finish(step) }
  }

  /// Compares a step's store with what it was built from; ends the run when they differ.
  func verify(_ step: Int, sample: Int?, isFinished: Bool = true) throws {
    let verification = RunVerification(
      place: try opened(), step: step, folder: folder, plan: plan, options: options,
      isFinished: isFinished, opened: newStore.map { _ in readers })
    let result = try verification.run(basis.canceller, sample: sample, log)
    guard result.count > 0 else { return }
    tally.refuse(result)
    if newStore != nil { try countObjects() }
    try endInvalid()
  }

  /// The new store, when it is whole.
  var newStore: String? {
    !plan.steps.isEmpty && isComplete(plan.steps.count - 1) ? folder.nextPath : nil
  }

  func finishedStore() throws -> (path: String, schema: StoreSchema) {
    guard let path = newStore, let schema = plan.steps.last?.targetSchema else {
      throw Self.early("the new store is not whole yet")
    }
    return (path, schema)
  }
}

// The exchange.
extension RunSession {
  /// Finishes a swap that an earlier run was killed in; false when there is none.
  private func finishLeftSwap() throws -> Bool {
    if let state = try RunState.look(at: folder), try state.lacksEvidence(folder) {
      let next = plan.isCurrent ? "Nothing is left to do" : "The run starts over"
      log.warn("\(state.contradiction). \(next).")
      if plan.isCurrent { try LockedRun.dismiss(folder) }
    }
    guard let state = try LockedRun.leftover(in: folder, options), state.phase >= .swapping,
      let place = try LockedRun(folder, finishing: basis.id, options)
    else { return false }
    self.place = place
    finishesForAnother = !place.isOf(plan)
    if finishesForAnother {
      log.warn(
        "the run \(state.run) was cut short in its swap, which is finished now. It was of another "
          + "pipeline file, or this one has changed since: no stage or program of it runs")
    }
    log.tell(in: folder)
    // Where the exchange is made already, the plan has no steps and there is nothing to count.
    count()
    log.start(stage: RunLog.swap)
    try swap(plan.declarations.swap ?? SwapChoices())
    log.finish(stage: RunLog.swap)
    // The store that was planned for may have been the new one already.
    tally.source = place.versionBefore
    return true
  }

  /// Puts the new store in the place of the old one, or where the run's options say.
  func replace(_ choices: SwapChoices) throws {
    try options.output.map { try write(to: $0, choices) } ?? swap(choices)
    tally.outcome = options.output.map { .written($0) } ?? .swapped
  }

  /// Ends a dry run, whose new store is whole; it goes where it is to be kept.
  private func keepResult() throws {
    guard let dryRun = options.dryRun, newStore != nil else { return }
    if let keep = dryRun.keep {
      try write(to: keep, plan.declarations.swap ?? SwapChoices())
    }
    tally.outcome = .dryRun(kept: dryRun.keep)
  }

  private func write(to place: String, _ choices: SwapChoices) throws {
    readers.close()
    for warning in try opened().write(to: place, choices) { log.warn(warning) }
  }

  private func swap(_ choices: SwapChoices) throws {
    var choices = choices
    choices.wait = plan.declarations.wait
    choices.awaited = try folder.awaitedRuns()
    let place = try opened()
    do {
      let result = try endingWhenCurrent { try place.swap(choices, readers, log.progress) }
      tally.backup = result.backup
      for warning in result.warnings { log.warn(warning) }
    } catch {
      tally.hasSwapFailed = !(error is RunEnd) && (error as? Failure)?.kind != .busy
      throw error
    }
    log.swapped()
  }

  /// Whether the new store is in the old one's place.
  var isSwapped: Bool { tally.outcome == .swapped }
}

// The summary.
extension RunSession {
  /// How a run ends that came to the end of its pipeline.
  private var endOfPipeline: RunSummary.Outcome {
    tally.outcome ?? newStore.map(RunSummary.Outcome.staged)
      ?? (plan.steps.isEmpty ? .upToDate : .running)
  }

  /// The summary of the run as far as it is.
  func summary(_ outcome: RunSummary.Outcome? = nil) throws -> RunSummary {
    count()
    return tally.summary(
      outcome ?? endOfPipeline, log, store: basis.store,
      seconds: (ContinuousClock.now - basis.start).seconds)
  }

  /// Counts for the summary alone: a run does not fail for want of it.
  private func count() {
    defer { readers.close() }
    do {
      if !tally.isCounted, newStore != nil { try countObjects() }
      try tally.noteRejects(in: folder, run: basis.id.text)
    } catch {
      log.warn("what the run did could not be counted: \(error)")
    }
  }

  private var rejectedCount: Int {
    get throws { try SummaryBuilder.rejected(in: folder, run: basis.id.text).values.reduce(0, +) }
  }

  /// Leaves the summary in the run's folder, and gives back the lock.
  private func leave(_ summary: RunSummary) {
    do {
      try place?.leave(JSONRunSummary(summary).text)
    } catch {
      let why = Failure.reason(error, at: "\(folder.path)/record.json")
      log.warn("the record of the run could not be written: \(why)")
    }
    close()
  }
}
