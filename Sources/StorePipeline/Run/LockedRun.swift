internal import CoreDataStore
internal import Formats
internal import Foundation
internal import Lua
internal import OperatingSystem
internal import StoreMigration
internal import StoreReplacement

/// A run's folder while it is locked: what was done is written there, and found again.
final class LockedRun {
  /// Whether an earlier run is resumed.
  let isResumed: Bool

  private let folder: WorkFolder
  private var plan: Plan?
  private let lock: RunLock
  private let id: RunID
  private let dryRun: DryRun?
  /// Whether the stores of all steps stay, each a file of its own.
  private let keepsSteps: Bool
  private var state: RunState
  /// What the run's copy says of itself, where it is of the store that was planned for.
  var copied: StoreMoment.Copied?
  /// What was proved of the last step's store when it was made; nil where an earlier process has
  /// made it.
  var stagedWalk: StoreMoment.Walk?

  /// Takes the lock and resumes what an earlier run left, when it is the same run.
  ///
  /// `expected` is the run that was found in the folder before the lock was taken.
  ///
  /// - Throws: `Failure` when what it was built from has changed since; of kind `busy` when another
  ///   process has ended that run meanwhile, or started one.
  init(
    _ folder: WorkFolder, _ id: RunID, _ plan: Plan, _ options: RunOptions,
    expecting expected: String?
  ) throws {
    (self.folder, self.plan, self.id) = (folder, plan, id)
    (dryRun, keepsSteps) = (options.dryRun, options.leavesOut != nil)
    lock = try RunLock(folder)
    let left = try Self.leftover(in: folder, options, for: plan)
    guard left?.run == expected else { throw Self.overtaken(folder) }
    if let left {
      try Self.check(left, plan, folder)
      try folder.settle(plan.steps.count)
      (state, isResumed) = (try left.without(lostStoresIn: folder, of: plan.steps.count), true)
      (state.failedScript, state.failedValue, state.failedOn) = (nil, nil, nil)
    } else {
      try Self.giveUp(in: folder)
      try folder.removeStaging()
      try folder.removeAssociations()
      state = try RunState(run: id.text, tool: LibraryVersions.own, folder: folder)
      state.command = options.command
      isResumed = false
      take(plan)
    }
  }

  /// Takes the lock to finish a swap that was cut short; nil when there is none any more.
  init?(_ folder: WorkFolder, finishing run: RunID, _ options: RunOptions) throws {
    let lock = try RunLock(folder)
    guard let state = try Self.leftover(in: folder, options), state.phase >= .swapping,
      state.run == run.text
    else { return nil }
    (self.folder, self.state, self.lock, id) = (folder, state, lock, run)
    (plan, isResumed, dryRun, keepsSteps) = (nil, true, nil, false)
  }

  /// Carries out another plan from here on: the one that was made under the lock.
  ///
  /// - Throws: `Failure` when an earlier run is resumed that was built from something else.
  func replace(_ plan: Plan) throws {
    if isResumed { try Self.check(state, plan, folder) }
    take(plan)
  }

  private func take(_ plan: Plan) {
    self.plan = plan
    (state.digests, state.steps) = (plan.digests.parts, plan.steps.count)
  }

  /// Notes what has ended the run, where a corrected script or pipeline file may settle it.
  ///
  /// Where that cannot be written, the user still has to know what went wrong.
  func note(_ error: any Error) {
    guard dryRun == nil, state.phase < .swapping else { return }
    if let failure = error as? ScriptFailure, !failure.isOfStore {
      state.failedScript = failure.path
    } else {
      guard let failure = error as? Failure else { return }
      switch failure.what {
      case Failure.cannotConvert: state.failedValue = failure.subject
      case Failure.cannotLink:
        state.failedOn = "a link to an object that is not in the result (\(failure.subject))"
      case StepBuilder.tooManyRejects, UniqueValues.refused:
        state.failedOn = "the error \"\(failure.what)\" (\(failure.subject))"
      default: return
      }
    }
    try? state.write(folder)
  }

  /// Whether a plan is of the pipeline file that this run began with.
  func isOf(_ plan: Plan) -> Bool { state.digests["pipeline"] == plan.digests.parts["pipeline"] }

  /// The store as it was copied; nil before it was.
  var source: SourceRecord? { state.source }

  /// How many steps' stores are whole.
  var finishedSteps: Int { state.step }

  /// The record of this run that the new store keeps.
  func record(rejected: Int) -> PropertyList? {
    plan.map { plan in
      RunRecord(
        id, tool: state.tool, plan, objects: plan.objectCount, rejected: rejected
      ).plist
    }
  }

  /// The version that the store had before the run that its metadata name last.
  var versionBefore: String? {
    try? Store(folder.store).metadata.log.last?.dictionary?["source"]?.string
  }

  /// Makes the copy that the run reads, or takes the one that is there.
  ///
  /// It counts once `confirmCopy()` has noted it. Gives back how many links of a sample were cut.
  func copySource(wait: Duration, _ log: RunLog) throws -> Int {
    let (snapshot, cutLinks) = try snapshot(wait, log)
    state.source = snapshot.record
    return cutLinks
  }

  /// Notes that the copy is whole, and that the plan is of it.
  func confirmCopy() throws {
    if try plan?.numberRows(of: folder.sourcePath) == true { try state.noteNumbers(in: folder) }
    if state.phase < .copying { state.phase = .copying }
    // Neither the copy nor the folder is synced: what a power cut leaves of the copy is compared
    // with what the state says of it, and without the state the run starts over.
    if dryRun == nil { try state.write(folder, syncingFolder: false) }
    // Not before the copy is whole again, which is what the new store is on top of, and not in what
    // is written: a power cut may still take what shows it.
    if isResumed, let plan, try isLastStepWhole(plan) { state.step += 1 }
  }

  private func snapshot(
    _ wait: Duration, _ log: RunLog
  ) throws -> (snapshot: SourceSnapshot, cutLinks: Int) {
    guard let dryRun else {
      let snapshot = try SourceSnapshot.make(folder, recorded: state.source, wait: wait) {
        log.progress(pages: $0, of: $1)
        return !Task.isCancelled
      }
      return (snapshot, 0)
    }
    guard let count = dryRun.sample, let schema = plan?.steps.first?.sourceSchema else {
      return (try SourceSnapshot.untouched(folder, wait: wait), 0)
    }
    return try SourceSnapshot.sampled(folder, schema, objects: count, wait: wait)
  }

  /// Begins the store of a step, or resumes it.
  func work(
    on step: Int, _ options: RunOptions, _ canceller: LuaCanceller
  ) throws -> StepBuilder {
    let (plan, planned) = try planned(step)
    let count = plan.steps.count
    let source = folder.source(ofStep: step, of: count)
    let builder = try StoreBuilder(
      at: folder.path(ofStep: step, of: count), source: source,
      sourceSchema: planned.sourceSchema, mapping: planned.mapping,
      targetSchema: planned.targetSchema,
      contents: contents(of: source, step, planned.to, plan),
      externalFolder: try folder.externals, newExternals: folder.nextExternals,
      start: start(of: planned, options), ways: planned.ways, walk: step == 0 ? walk : nil,
      copied: step == 0 ? copied : nil)
    if let keys = options.leavesOut?[step], !keys.isEmpty { try builder.leaveOut(keys) }
    return StepBuilder(
      planned, builder, facts(options, canceller, rejects: folder.rejectsPath))
  }

  /// What the new store of a step says of itself until it is finished.
  ///
  /// The run's copy of a store that was found sound was read when it was made, under the lock that
  /// keeps it as it is.
  private func contents(
    of source: String, _ step: Int, _ model: Model, _ plan: Plan
  ) throws -> NewStoreContents {
    let cache = plan.cache(of: model, besides: folder.store)
    let isSound = step == 0 && isSourceSound
    if isSound, let copied,
      let contents = NewStoreContents(of: copied, to: model, cache: cache)
    {
      return contents
    }
    return try NewStoreContents(like: source, to: model, cache: cache, isSound: isSound)
  }

  /// Begins to run the scripts of a step a second time, to be compared with what the run has
  /// staged.
  ///
  /// Where they compute values of rows alone nothing is made, else a store that goes with its
  /// builder.
  func twin(
    of step: Int, next staged: StagedRows, byRows: Bool, _ options: RunOptions,
    _ canceller: LuaCanceller
  ) throws -> StepBuilder {
    let (plan, planned) = try planned(step)
    let hasHooks = planned.scripts.contains { !$0.outline.hooks.isEmpty }
    let builder = try StoreBuilder(
      at: folder.againPath, source: folder.source(ofStep: step, of: plan.steps.count),
      sourceSchema: planned.sourceSchema, mapping: planned.mapping,
      targetSchema: planned.targetSchema, contents: NewStoreContents(),
      externalFolder: try folder.externals, newExternals: folder.againExternals,
      earlierExternals: folder.nextExternals,
      start: hasHooks ? planned.start.start : .empty,
      life: byRows ? .inMemory : .temporary, staged: staged)
    if let keys = options.leavesOut?[step], !keys.isEmpty { try builder.leaveOut(keys) }
    return StepBuilder(planned, builder, facts(options, canceller, rejects: nil))
  }

  private func planned(_ step: Int) throws -> (Plan, PlannedStep) {
    guard let plan else {
      throw Failure.defect(
        "a step was asked for before the plan was made", what: "cannot do the step",
        subject: folder.store)
    }
    return (plan, plan.steps[step])
  }

  private func facts(
    _ options: RunOptions, _ canceller: LuaCanceller, rejects: String?
  ) -> StepBuilder.ScriptFacts {
    StepBuilder.ScriptFacts(
      run: id.text, now: id.start, rejects: rejects, showsValues: options.showsValues,
      canceller: canceller,
      workers: options.workers ?? WorkerCount.usual(runs: options.runsAtOnce),
      workersOfLarge: options.workers ?? 1)
  }

  /// How a step's store begins: one with empty tables that is left to be looked at begins as the
  /// file that it is to be, and is not written a second time at the end.
  private func start(of step: PlannedStep, _ options: RunOptions) -> StoreStart {
    if keepsSteps, step.start.start == .overlay { return .clone }
    let stays = options.until != nil || plan?.declarations.swap == nil
    return stays && step.start.start == .logged ? .empty : step.start.start
  }

  /// Whether the run reads what was checked when it was planned.
  private var isSourceSound: Bool {
    guard let source = state.source, dryRun?.sample == nil else { return false }
    return plan?.moment?.isSound(source, of: folder.store) == true
  }

  /// What the check of the store has shown of the copy that the run reads; nil where that is
  /// another one.
  var walk: StoreMoment.Walk? {
    // Rows of no entity have got their table's number in the copy.
    guard let source = state.source, state.numbered == nil, dryRun?.sample == nil else {
      return nil
    }
    return plan?.moment?.walk(of: source, of: folder.store)
  }

  /// Notes that a step's store is whole, and lets go of its source.
  ///
  /// That of the last step is compared with the new store until this takes the old one's place, and
  /// is not noted where the new store shows by itself that it is whole: a power cut leaves a log
  /// that ends with a commit, of which a resumed run sees whether it was the last one.
  func finish(_ step: Int) throws {
    state.step = step + 1
    guard let plan else { return }
    let count = plan.steps.count
    // What a dry run has made goes with it.
    if dryRun == nil, step < count - 1 || !Self.showsItself(plan) {
      try StagedStore.settle(folder, step: step, of: count)
      try state.write(folder)
    }
    if step < count - 1, !keepsSteps { try folder.removeSource(ofStep: step, of: count) }
  }

  /// Whether the store of the last step shows by itself that it is whole.
  ///
  /// Not so where large values may be in files of their own: their names may be gone after a power
  /// cut that the log has outlived. And not where stages change it: when it has nothing of ours any
  /// more it is written once more.
  private static func showsItself(_ plan: Plan) -> Bool {
    guard let step = plan.steps.last, step.revisions.isEmpty else { return false }
    return !step.to.entities.contains { entity in
      entity.attributes.contains(where: \.usesExternalStorage)
    }
  }

  /// Whether the last step's store was synced when the step was over.
  private var isSettled: Bool { dryRun == nil && plan.map { !Self.showsItself($0) } ?? false }

  /// Whether the last step's store is whole, though the state does not say so.
  private func isLastStepWhole(_ plan: Plan) throws -> Bool {
    try state.phase < .swapping && state.step == plan.steps.count - 1 && Self.showsItself(plan)
      && StoreBuilder.isWhole(folder.nextPath, madeBy: state.mark)
  }
}

// The end.
extension LockedRun {
  /// Makes a file of its own of the store that was made last, for those who look at it where it is.
  func flatten() throws {
    guard dryRun == nil, state.phase < .validated, let plan else { return }
    try StagedStore.flatten(folder, steps: plan.steps.count)
  }

  /// Puts the new store in the place of the old one, unless the run is cancelled before.
  ///
  /// `readers` are those that have read the new store, if it is still open; they are closed.
  func swap(
    _ choices: SwapChoices, _ readers: OpenedStores, _ progress: (SwapStep) -> Void
  ) throws -> SwapResult {
    // The state is not written: a kill or a power cut before the exchange leaves a store that is
    // checked once more.
    let staged =
      try state.phase < .validated
      ? StagedStore.check(
        folder, &state, isSettled: isSettled, known: stagedWalk ?? walk, opened: readers) : nil
    readers.close()
    if state.phase < .swapping, let plan, let next = state.next {
      var kept = BackupProvenance(
        run: id.text, target: plan.target.name, pipeline: plan.pipeline.json, image: next)
      kept.take(plan)
      if let staged { try staged.note(&kept, folder) } else { try kept.write(folder) }
    }
    let swap = Swap(folder, state, choices, staged: staged, isSourceSound: isSourceSound)
    let result = try swap.run { step in
      progress(step)
      try Task.checkCancellation()
    }
    state = result.state
    return result
  }

  /// Puts the new store at a place of its own; gives back what went wrong after that.
  func write(to output: String, _ choices: SwapChoices) throws -> [String] {
    if state.phase < .validated {
      try StagedStore.seal(folder, &state, isSettled: isSettled, known: stagedWalk ?? walk)
    }
    let journal = choices.journal(like: state.source)
    let warnings = try StoreOutput.place(folder, state, at: output, journal: journal)
    do {
      try end()
      return warnings
    } catch {
      return warnings + ["what the run has left could not be removed: \(error)"]
    }
  }

  /// Ends the run without a new store in the old one's place: there is nothing to resume.
  func end() throws {
    state.phase = .done
    // What a dry run has made is looked at until its folder goes.
    guard dryRun == nil else { return }
    try state.write(folder)
    try folder.removeStaging()
  }

  /// Leaves the summary in the run's folder, and with the backup that the run made.
  func leave(_ record: String) throws {
    try folder.leave(record: record)
    if let backup = state.backup { try KeptRecord.keep(record, of: folder, in: backup.path) }
  }

  /// Leaves in the run's folder why it failed; its backup, if there is one, is whole all the same.
  func leave(failure: String) { if dryRun == nil { try? folder.leave(record: failure) } }

  /// Gives the lock back.
  func close() { lock.unlock() }
}

extension BackupProvenance {
  /// Takes over what a plan was made with in addition to its pipeline.
  mutating func take(_ plan: Plan) {
    acceptedLosses = plan.settings.acceptedLosses
    isForced = plan.settings.force
    digests = plan.digests.parts
  }
}

extension Plan {
  /// The compiled form of a model, or the copy of it that a store named in its place keeps.
  ///
  /// The store that is being migrated is not opened for it.
  fileprivate func cache(of model: Model, besides store: String) -> NewStoreContents.ModelCache {
    let paths = pipeline.models.map(pipeline.resolve)
    let stores = paths.filter { !ModelLibrary.isModel($0) }
    if let path = stores.first(where: { URL(filePath: $0).lastPathComponent == model.name }) {
      return FileSystem.resolved(path) == store ? .none : .of(store: path)
    }
    // A model in XML has no archive: it need not be looked for.
    let isCompiled = ["mom", "momd"].contains(paths[0].split(separator: ".").last?.lowercased())
    guard paths.count == 1, isCompiled, let file = try? ModelFile(paths[0]),
      let archive = file.archive(of: model.name)
    else { return .none }
    return .archive(archive)
  }
}
