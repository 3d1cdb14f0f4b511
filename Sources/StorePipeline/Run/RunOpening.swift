internal import CoreDataStore
internal import OperatingSystem
internal import StoreMigration
internal import StoreReplacement

/// The way to the copy that a run reads: what can be refused before anything is written, the lock,
/// the copy, and the plan once more.
struct RunOpening {
  private let basis: RunBasis
  private let wait: Duration
  private let checksSpace: Bool
  private var plan: Plan

  init(_ basis: RunBasis, _ plan: Plan, wait: Duration, checksSpace: Bool) {
    (self.basis, self.plan, self.wait, self.checksSpace) = (basis, plan, wait, checksSpace)
  }

  private var options: RunOptions { basis.options }
  private var folder: WorkFolder { basis.folder }
  private var log: RunLog { basis.log }

  /// Takes the lock, looks at what an earlier run left, and makes the copy.
  ///
  /// - Parameters:
  ///   - isBackedUp: Whether a stage has copied the store that was planned for: no other plan will
  ///     do then.
  ///   - keep: Gets the lock and the state as soon as they are there.
  ///   - take: Gets the plan that is made under the lock, where the store had changed.
  /// - Returns: The objects of the copy by entity, where it is a sample of the store.
  /// - Throws: ``RunEnd`` when nothing is left to do, `Failure`.
  mutating func open(
    isBackedUp: Bool, keep: (LockedRun) -> Void, take: (Plan) -> Void
  ) throws -> [String: Int]? {
    let isElsewhere = options.output != nil || options.dryRun != nil
    let replaces = !isElsewhere && plan.declarations.swap != nil
    try StoreSuitability.check(try StoreFiles(basis.store), replaced: replaces)
    if replaces { try StoreUsers.waitForEnd(folder, wait: wait) }
    // Before anything is written; what an earlier run has left may go first.
    let isFirst = FileSystem.entry(following: folder.path) == nil
    if isFirst { try checkSpace() }
    try checkObjects()
    let place = try LockedRun(folder, basis.id, plan, options, expecting: basis.left)
    keep(place)
    log.tell(in: folder)
    if let correction = basis.correction { log.warn(correction) }
    if !isFirst, !place.isResumed { try checkSpace() }
    let cutLinks = try place.copySource(wait: wait, log)
    try confirmPlan(place, isBackedUp: isBackedUp, take)
    try place.confirmCopy()
    guard options.dryRun?.sample != nil, let first = plan.steps.first else {
      return nil
    }
    if cutLinks > 0 {
      log.warn("the sample ends at \(Plural.text(cutLinks, "link")) that led on and on")
    }
    return try ObjectCounts.of(folder.sourcePath, first.sourceSchema).objects
  }

  private func checkSpace() throws {
    guard checksSpace else { return }
    guard let dryRun = options.dryRun else {
      try plan.space?.places?.check(folder, output: options.output)
      return
    }
    if dryRun.sample == nil {
      try plan.space?.places?.check(withoutSwap: folder, keep: dryRun.keep)
    }
  }

  /// Refuses objects before anything is written, unless the store has changed since it was planned:
  /// what is found then, errors included, is of another store, and is looked for again under the
  /// lock.
  private func checkObjects() throws {
    do {
      // It was checked for damage when it was planned for.
      let isKnown = plan.moment?.isSound == true && plan.moment?.isNow(folder.store) == true
      if isKnown, let found = basis.preflight, found.limit == options.failureLimit {
        return try judge(found.result)
      }
      try checkObjects(
        of: try isKnown
          ? Store(basis.store, reading: .sound) : Store(basis.store, isBrief: true))
    } catch  where plan.moment?.isNow(folder.store) == false && !(error is CancellationError) {}
  }

  /// Refuses objects that would break rules of the new model, before anything is written.
  ///
  /// Where the pipeline does not validate, these rules were not asked for, and are warnings. What
  /// Core Data itself refuses is refused all the same: objects without a value that they now need,
  /// and shared values that must be unique, with which no store can be made. A run that is resumed
  /// or done again has been through this; a dry run shows what breaks rules next to the rest.
  private func checkObjects(of store: @autoclosure () throws -> Store) throws {
    guard options.dryRun == nil, options.run == nil, basis.left == nil else { return }
    try judge(try plan.preflightOfRun({ try store() }, limit: options.failureLimit))
  }

  private func judge(_ found: PreflightResult?) throws {
    guard options.dryRun == nil, options.run == nil, basis.left == nil, let result = found,
      result.errors > 0
    else { return }
    guard !plan.declarations.validates, !result.kinds.contains(where: \.endsRun) else {
      throw RunEnd(outcome: .invalid, preflight: result)
    }
    for kind in result.kinds where kind.count.errors > 0 {
      let count = kind.count
      log.warn(
        "\(count.entity).\(count.property): \(Plural.text(count.errors, "object")) will break "
          + "the rule \"\(count.rule)\", and the pipeline does not validate")
    }
  }

  /// Makes sure that the plan is of the store that the run reads.
  ///
  /// It was made before the lock was taken. Another run may have replaced the store since, and a
  /// second one by the same plan would apply its scripts twice; an application may have written to
  /// it, so that what the plan says of tables and objects is of another store.
  private mutating func confirmPlan(
    _ place: LockedRun, isBackedUp: Bool, _ take: (Plan) -> Void
  ) throws {
    let planning = basis.planning(plan)
    if let copied = try planning.lookAtCopy() {
      place.copied = copied
      return
    }
    let copy = Store.Content.copy(folder.sourcePath)
    let fresh = try planning.again(copy)
    if fresh.isCurrent {
      try place.end()
      throw RunEnd(outcome: .upToDate, plan: fresh)
    }
    guard !isBackedUp else { throw planning.changed("The stage backup has copied it already.") }
    try place.replace(fresh)
    plan = fresh
    take(fresh)
    log.warn("the store has changed since the run was planned: it was planned again")
    for warning in fresh.warnings { log.warn(warning) }
    if !place.isResumed { try checkSpace() }
    try checkObjects(of: try Store(basis.store, reading: copy))
  }
}
