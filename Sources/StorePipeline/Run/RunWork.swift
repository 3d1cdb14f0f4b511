internal import CoreDataStore
internal import Foundation
internal import Lua
internal import StoreMigration
internal import StoreReplacement

/// What the stages of one run work on, from the lock to the swap.
final class RunWork {
  /// The plan that is carried out: the one that was given, or the one that was made under the lock
  /// because the store had changed.
  private(set) var plan: Plan
  /// All that is done, in order.
  private(set) var schedule: RunSchedule
  /// The path of the store, as it was given.
  let store: String
  /// What the run is given besides the plan.
  let options: RunOptions
  /// Where it is said what happens.
  let log: RunLog
  /// The run's files.
  let folder: RunFolder

  /// The programs that the pipeline starts.
  private(set) lazy var hooks = RunHooks(self)

  private let id: RunID
  /// The run that was found in the folder at the start; nil when there was none to resume.
  private let left: String?
  private let stages: StageRegistry
  private let throwAway: ThrowAwayFolder?
  private let canceller: LuaCanceller
  private let start = ContinuousClock.now
  private var place: RunPlace?
  private var wait: Duration?
  /// Whether a stage `backup` has copied the store that was planned for: no other plan will do.
  var isBackedUp = false
  /// Whether the swap has failed, which is the reason then, whoever wanted the run to stop.
  private(set) var hasSwapFailed = false
  private var current: (index: Int, work: StepWork)?
  private(set) var tally: RunTally
  /// What was found between what was read and what was made, once that was asked for.
  private var found: RunExamination.Result?

  init(
    _ run: Run, _ schedule: RunSchedule, _ canceller: LuaCanceller,
    _ events: @escaping @Sendable (ProgressEvent) -> Void
  ) throws {
    self.canceller = canceller
    (plan, store, options, stages) = (run.plan, run.store, run.options, run.stages)
    self.schedule = schedule
    throwAway = try options.dryRun.map { _ in
      try ThrowAwayFolder(store: run.store, in: run.options.work)
    }
    let folder =
      try throwAway?.folder ?? options.folder ?? RunFolder(store: run.store, work: options.work)
    let left = try RunLock.unlessTaken(folder) { try RunPlace.leftover(in: folder, run.options) }
    self.folder = folder
    self.left = left?.run
    try RunPlace.expect(options.resumed, in: folder)
    id = (left?.run ?? options.run).map(RunID.init(text:)) ?? RunID()
    log = RunLog(run: id.text, store: run.store, events: events)
    tally = RunTally(run.plan)
  }

  /// Takes the lock, looks at what an earlier run left, and makes the copy that the run reads.
  ///
  /// A store that another process has, or has just changed, may be of the target version by now:
  /// then nothing is left to do.
  func open(wait: Duration, checksSpace: Bool) throws {
    try endingWhenCurrent { try openStores(wait: wait, checksSpace: checksSpace) }
  }

  private func openStores(wait: Duration, checksSpace: Bool) throws {
    let isElsewhere = options.output != nil || options.dryRun != nil
    let replaces = !isElsewhere && has(SwapStage.self)
    try StoreSuitability.check(try StoreFiles(store), replaced: replaces)
    if replaces { try StoreUsers.waitForEnd(folder, wait: wait) }
    self.wait = wait
    // Before anything is written; what an earlier run has left may go first.
    let isFirst = !FileManager.default.fileExists(atPath: folder.path)
    if checksSpace, isFirst { try checkSpace() }
    try preflight()
    let place = try RunPlace(folder, id, plan, options, expecting: left)
    self.place = place
    log.tell(in: folder)
    if checksSpace, !isFirst, !place.isResumed { try checkSpace() }
    let cutLinks = try place.copySource(wait: wait)
    try confirmPlan(place, checksSpace: checksSpace)
    try place.confirmCopy()
    guard options.dryRun?.sample != nil, let first = plan.steps.first else { return }
    tally.sampled = try ObjectCounts.of(folder.sourcePath, first.sourceSchema)
    if cutLinks > 0 {
      log.warn("the sample ends at \(Plural.text(cutLinks, "link")) that led on and on")
    }
  }

  private func checkSpace() throws {
    guard let dryRun = options.dryRun else {
      try plan.space?.places?.check(folder, output: options.output)
      return
    }
    if dryRun.sample == nil {
      try plan.space?.places?.check(withoutSwap: folder, keep: dryRun.keep)
    }
  }

  /// Refuses objects that would break rules of the new model, before anything is written.
  ///
  /// Where the pipeline does not validate, these rules were not asked for, and are warnings;
  /// shared values that must be unique are refused all the same, as the new store would be at the
  /// end. A run that is resumed has been through this; a dry run shows what breaks rules beside the
  /// rest.
  private func checkObjects(of store: @autoclosure () throws -> Store) throws {
    guard options.dryRun == nil, left == nil,
      let result = try plan.preflightOfRun({ try store() }, limit: options.failureLimit),
      result.errors > 0
    else { return }
    guard
      has(ValidateStage.self)
        || result.kinds.contains(where: { $0.isUniqueness && $0.count.errors > 0 })
    else {
      for kind in result.kinds where kind.count.errors > 0 {
        let count = kind.count
        log.warn(
          "\(count.entity).\(count.property): \(Plural.text(count.errors, "object")) will break "
            + "the rule \"\(count.rule)\", and the pipeline does not validate")
      }
      return
    }
    tally.refuse(result)
    throw RunEnd(outcome: .invalid)
  }

  /// Refuses objects before anything is written, unless the store has changed since it was planned:
  /// what is found then, errors included, is of another store, and is looked for again under the
  /// lock.
  private func preflight() throws {
    do {
      try checkObjects(of: try Store(store, isBrief: true))
    } catch  where plan.moment?.isNow(folder.store) == false && !(error is CancellationError) {
      tally = RunTally(plan)
    }
  }

  /// What an error is in truth: of a store that has changed since it was copied, the change is the
  /// reason.
  func explained(_ error: any Error) -> any Error {
    guard let failure = error as? StoreError, failure.category == .unusable, !isSwapped,
      let source = place?.source, (try? SourceSnapshot.hasChanged(folder, since: source)) == true
    else { return error }
    return planning.changed("\(failure.what): \(failure.subject). \(failure.why)")
  }

  /// Makes sure that the plan is of the store that the run reads.
  ///
  /// It was made before the lock was taken. Another run may have replaced the store since, and a
  /// second one by the same plan would apply its scripts twice; an application may have written to
  /// it, so that what the plan says of tables and objects is of another store.
  private func confirmPlan(_ place: RunPlace, checksSpace: Bool) throws {
    if try planning.holdsForCopy() { return }
    let copy = Store.Content.copy(folder.sourcePath)
    let fresh = try planning.again(copy)
    if fresh.isCurrent {
      try place.end()
      try endCurrent(fresh)
    }
    guard !isBackedUp else { throw planning.changed("The stage backup has copied it already.") }
    try place.replace(fresh)
    take(fresh)
    log.warn("the store has changed since the run was planned: it was planned again")
    for warning in fresh.warnings { log.warn(warning) }
    if checksSpace, !place.isResumed { try checkSpace() }
    try checkObjects(of: try Store(store, reading: copy))
  }

  /// Whether a copy of the store is of what the run reads or is about to read; one that `isNew` was
  /// made just now.
  func isPlanned(_ copy: StoreBackup, isNew: Bool) throws -> Bool {
    if let source = place?.source { return copy.image == source.image }
    guard plan.moment?.isNow(folder.store) == true else { return false }
    return try isNew || SourceSnapshot.image(of: folder) == copy.image
  }

  /// How long to wait for another process that has the store.
  var usualWait: Duration { wait ?? OpenStage.wait(of: plan.pipeline) }
  /// What a stage does again under the lock.
  var planning: PlanUnderLock { PlanUnderLock(plan, folder, stages) }

  private func take(_ fresh: Plan) {
    plan = fresh
    tally = RunTally(fresh)
    schedule = RunSchedule(
      fresh.pipeline.entries, steps: fresh.steps.map(\.to.name), stages: stages)
  }

  /// Does something, and ends the run with its best answer when another process has the store or
  /// has changed it: the store is of the target version by now.
  private func endingWhenCurrent(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as StoreError where error.category == .busy {
      guard let fresh = try? planning.again(.store), fresh.isCurrent else { throw error }
      if let place, !place.isResumed { try place.end() }
      try endCurrent(fresh)
    }
  }

  private func endCurrent(_ fresh: Plan) throws -> Never {
    take(fresh)
    throw RunEnd(outcome: .upToDate)
  }
  private func has(_ stage: any Stage.Type) -> Bool {
    plan.pipeline.stages.contains { $0.stage.name == stage.description.name }
  }

  /// The lock and the state; there is none before the stage `open`.
  func opened() throws -> RunPlace {
    guard let place else { throw Self.early("the stores are not open yet") }
    return place
  }

  private static func early(_ why: String) -> RunFailure {
    RunFailure(
      .misuse, what: "cannot run the stage", subject: "its place", why: "Here \(why).",
      remedy: "Put the stage further down in the pipeline.")
  }

  /// Lets go of the lock and whatever else is open.
  func close() {
    current?.work.close()
    current = nil
    place?.close()
    throwAway?.remove()
  }
}

// Steps.
extension RunWork {
  /// The store that the step at work builds.
  func step() throws -> StepWork {
    guard let current else { throw Self.early("no step is at work") }
    return current.work
  }

  /// Whether a step's store was made whole, by this run or before it was interrupted.
  func isFinished(_ step: Int) -> Bool { place.map { $0.finishedSteps > step } ?? false }

  /// Begins a step's store, or resumes it.
  func enter(_ step: Int?) throws {
    guard let step, current?.index != step else { return }
    current = (step, try opened().work(on: step, options, canceller))
  }

  /// Notes that the objects and links of a step are there, before stages change them: compares them
  /// with what they were built from, when the pipeline has a stage for that.
  func settle(_ step: Int) throws {
    guard !isFinished(step) else { return }
    try enter(step)
    guard try !self.step().isSettled else { return }
    if let verify = plan.pipeline.stages.map(\.stage).last(where: VerifyStage.isMeant) {
      log.start(stage: verify.name)
      // SQLite before 3.51.3 wants one connection to a file in WAL mode.
      try self.step().close()
      current = nil
      try verifyStep(step, sample: VerifyStage.sample(verify), isFinished: false)
      log.finish(stage: verify.name)
      try enter(step)
    }
    try self.step().settle()
  }

  /// Makes the store of a step whole; it is the source of the next one.
  func finish(_ step: Int) throws {
    guard !isFinished(step) else { return }
    let place = try opened()
    let isLast = step == plan.steps.count - 1
    var choices = MetadataStage.choices(
      of: plan.pipeline.stages.map(\.stage),
      record: isLast ? place.record(rejected: try rejectedCount) : nil,
      isLast: isLast)
    choices.associations = folder.associations(ofStep: step)
    choices.isRevised = !plan.steps[step].revisions.isEmpty
    choices.checksFile = !(isLast && isSealed)
    log.start(stage: "finish")
    let work = try self.step()
    try work.finish(choices, folder, log)
    current = nil
    log.finish(stage: "finish")
    // What the step has read goes now; the last one's source stays for the stage itself.
    if !isLast, let verify = plan.pipeline.stages.map(\.stage).last(where: VerifyStage.isMeant) {
      try verifyStep(step, sample: VerifyStage.sample(verify))
    }
    try place.finish(step)
  }

  /// Whether the new store is checked once more, before it goes where it belongs.
  private var isSealed: Bool { options.until == nil && has(SwapStage.self) }

  /// The new store, when it is whole.
  var newStore: String? {
    !plan.steps.isEmpty && isFinished(plan.steps.count - 1) ? folder.nextPath : nil
  }

  /// What the new store is compared with: the source of the run, through all steps.
  var validationSource: Validation.Source? {
    guard let first = plan.steps.first else { return nil }
    return Validation.Source(
      path: folder.sourcePath, schema: first.sourceSchema, mappings: plan.steps.map(\.mapping),
      revised: plan.revisedEntities)
  }

  /// Counts objects of the new store.
  func count(_ expression: String) throws -> Int64 {
    let (path, schema) = try finishedStore()
    return try ExpectationCheck.number(expression, in: path, schema)
  }

  /// The new store.
  func finishedStore() throws -> (path: String, schema: StoreSchema) {
    guard let path = newStore, let schema = plan.steps.last?.targetSchema else {
      throw Self.early("the new store is not whole yet")
    }
    return (path, schema)
  }
}

// The end.
extension RunWork {
  /// Finishes a swap that an earlier run was killed in; false when there is none.
  func finishSwap() throws -> Bool {
    if let state = try RunState.look(at: folder), try state.lacksEvidence(folder) {
      let next = plan.isCurrent ? "Nothing is left to do" : "The run starts over"
      log.warn("\(state.contradiction). \(next).")
      if plan.isCurrent { try RunPlace.dismiss(folder) }
    }
    guard let state = try RunPlace.leftover(in: folder, options), state.phase >= .swapping,
      let place = try RunPlace(folder, finishing: id, options)
    else { return false }
    self.place = place
    log.tell(in: folder)
    // Where the exchange is made already, the plan has no steps and there is nothing to count.
    count()
    log.start(stage: SwapStage.description.name)
    try swap(SwapStage.choices(of: plan.pipeline))
    log.finish(stage: SwapStage.description.name)
    // The store that was planned for may have been the new one already.
    tally.source = place.versionBefore
    return true
  }

  /// Ends a dry run, whose new store is whole; it goes where it is to be kept.
  func endDryRun() throws {
    guard let dryRun = options.dryRun, newStore != nil, tally.outcome == nil else { return }
    try checkUniqueness()
    try countObjects()
    try examine()
    if let keep = dryRun.keep {
      try opened().write(to: keep, SwapStage.choices(of: plan.pipeline))
    }
    end(.dryRun(kept: dryRun.keep))
  }

  /// Compares what was read with what was made, when that was asked for and both are there.
  ///
  /// It has to be done before the swap; a run does not fail for want of it, unless it is for that.
  func examine() throws {
    guard found == nil, !isSwapped, let newStore, wantsDifference else { return }
    let examination = RunExamination(plan: plan, folder: folder, options: options, store: store)
    log.start(stage: "compare")
    do {
      found = try examination.result(newStore, log)
    } catch  where options.dryRun == nil && !(error is CancellationError) {
      log.warn("what is different could not be told: \(error)")
    }
    log.finish(stage: "compare")
  }

  private var wantsDifference: Bool {
    options.dryRun != nil || options.report != nil || has(ReportStage.self)
  }

  /// Puts the new store in the place of the old one.
  func swap(_ choices: SwapChoices) throws {
    var choices = choices
    choices.wait = usualWait
    if choices.backupKeep == .none, try rejectedCount > 0 {
      log.warn("objects were rejected: without a backup they cannot be retried")
    }
    let place = try opened()
    var swapped: SwapResult?
    do {
      try endingWhenCurrent { swapped = try place.swap(choices) }
    } catch {
      hasSwapFailed = (error as? StoreError)?.category != .busy
      throw error
    }
    guard let result = swapped else { return }
    tally.backup = result.backup
    for warning in result.warnings { log.warn(warning) }
    log.swapped()
  }

  /// Counts what is in the new store, before it goes where it belongs.
  func countObjects() throws {
    let (path, schema) = try finishedStore()
    try tally.count(path, schema)
    tally.addFiles(in: folder.nextExternals)
  }

  /// The same for the summary alone: a run does not fail for want of it.
  private func count() {
    do {
      if !tally.isCounted, newStore != nil { try countObjects() }
      tally.rejected = try rejected
    } catch {
      log.warn("what the run did could not be counted: \(error)")
    }
  }

  /// Compares a step's store with what it was built from; ends the run when they differ.
  func verifyStep(_ step: Int, sample: Int?, isFinished: Bool = true) throws {
    let verification = RunVerification(
      place: try opened(), step: step, folder: folder, plan: plan, options: options,
      isFinished: isFinished)
    let result = try verification.run(canceller, sample: sample, log)
    guard result.count > 0 else { return }
    tally.refuse(result)
    if newStore != nil { try countObjects() }
    try endInvalid()
  }

  /// Ends the run because the new store is not as the model or the file wants it.
  func refuse(_ result: ValidationResult) throws {
    tally.refuse(result)
    try countObjects()
    try endInvalid()
  }

  private func endInvalid() throws {
    try examine()
    try opened().end()
    throw RunEnd(outcome: .invalid)
  }

  /// Refuses a new store in which objects share values that must be unique.
  ///
  /// Where the pipeline validates, that has named them all, or that the old store is no better.
  func checkUniqueness() throws {
    let (path, schema) = try finishedStore()
    guard let refusal = try UniqueValues.refusal(of: path, schema) else { return }
    guard has(ValidateStage.self) else { throw refusal }
    log.warn("\(refusal.subject): left without its index, because objects share values")
  }

  /// The summary of the run as far as it is.
  func summary(_ outcome: RunSummary.Outcome? = nil) throws -> RunSummary {
    count()
    return tally.summary(
      outcome ?? self.outcome, log, store: store, seconds: (ContinuousClock.now - start).seconds)
  }

  private var rejected: [String: Int] {
    get throws { try RunTally.rejected(in: folder, run: id.text) }
  }
  private var rejectedCount: Int { get throws { try rejected.values.reduce(0, +) } }

  /// The report of the run as far as it is; nil where it was not asked for.
  func report(of summary: RunSummary) -> DifferenceReport? {
    guard wantsDifference else { return nil }
    let losses = found.map { LossSources(plan, rejected: tally.rejected).report($0.losses) }
    return RunReport(
      summary: summary, difference: found?.difference, losses: losses,
      rejects: tally.rejects(in: folder, run: id.text)
    ).report
  }

  /// Leaves the summary in the run's folder, and lets go of it.
  func end(with summary: RunSummary) {
    do {
      try place?.leave(JSONRunSummary(summary).text)
    } catch {
      log.warn("the record of the run could not be written: \(error.localizedDescription)")
    }
    close()
  }

  /// How a run ends that came to the end of its pipeline.
  var outcome: RunSummary.Outcome {
    tally.outcome ?? newStore.map(RunSummary.Outcome.staged)
      ?? (plan.steps.isEmpty ? .upToDate : .running)
  }

  /// Whether the new store is in the old one's place.
  var isSwapped: Bool { tally.outcome == .swapped }
  /// Whether the store may have been written to and not finished.
  var isExchanging: Bool { (try? RunState.read(folder))?.phase == .swapping }

  /// Notes how the run ends.
  func end(_ outcome: RunSummary.Outcome) { tally.outcome = outcome }
}
