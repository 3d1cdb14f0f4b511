internal import CoreDataStore
internal import Lua
internal import StoreMigration
internal import StoreReplacement

/// Reads what a step has read and made again, runs its scripts again, and compares.
struct RunVerification {
  let place: LockedRun
  let step: Int
  let folder: WorkFolder
  let plan: Plan
  let options: RunOptions
  /// The store in its place, when that is verified and not the one that a run has staged.
  var now: Now?
  /// Whether the step's store is whole, and not only its objects and links.
  var isFinished = true
  /// Where both stores may be open already, and stay open.
  var opened: OpenedStores?

  /// A store that a run made earlier.
  struct Now {
    /// Its copy.
    let path: String
    /// The folder of its large values.
    let externals: String
    /// What explains differences, when an application has written to it since.
    let since: SavedSince?
    /// Whether a retry put objects in later, so that what scripts make has got its keys in another
    /// order.
    let isRefilled: Bool
    /// What is compared with the store that was made again from all of that; nil where none was.
    let twin: TwinComparison.Part?
  }

  private var planned: PlannedStep { plan.steps[step] }
  private var scripts: [PlannedScript] { planned.scripts.filter(\.outline.needsLua) }

  /// Compares everything; what is found is listed up to the run's limit.
  func run(
    _ canceller: LuaCanceller, sample: Int?, _ log: RunLog
  ) throws -> VerificationResult {
    let count = plan.steps.count
    let external = try folder.externals
    let staged = [folder.nextExternals, external]
    let source = VerifiedStore(
      path: folder.source(ofStep: step, of: count), schema: planned.sourceSchema,
      externalFolders: step == 0 ? [external] : staged)
    let target = VerifiedStore(
      path: now?.path ?? folder.path(ofStep: step, of: count), schema: planned.targetSchema,
      externalFolders: now.map { [$0.externals] } ?? staged)
    let verification = try StepVerification(
      of: source, and: target, planned.mapping, associations: associations,
      isOfMapping: !isWhole && !isRevised, isFinished: isFinished,
      carriesMirror: plan.declarations.cloudKit == .carry, since: now?.since, sample: sample,
      limit: options.failureLimit, walk: step == 0 && now == nil ? place.walk : nil,
      proof: place.stagedWalk, opened: opened)
    var result = try verification.run { entity, done, total in
      log.progress(entity: entity, rows: done, total: total, bytes: 0, countsParts: true)
      try Task.checkCancellation()
    }
    // What scripts make again has connections of its own.
    if isRevised || !scripts.isEmpty { opened?.close() }
    if isRevised || isWhole && now?.isRefilled == true {
      if let part = now?.twin { result.add(try compareTwin(with: target, part)) }
      if now?.twin != .everything { log.warn(sayingWhatIsNotCompared) }
      return result
    }
    if !scripts.isEmpty { result.add(try scripted(target, canceller, log)) }
    return result
  }

  private var sayingWhatIsNotCompared: String {
    guard let now else { return planned.sayingWhatIsNotVerified }
    if now.twin != nil { return planned.sayingWhatIsNotRefilled }
    return (isRevised ? "no object is compared" : "what a script made is not compared")
      + ": a retry has put objects into a store that another process had written to, or that an "
      + "earlier version of pipeline made"
  }

  /// Whether scripts may make and link objects, and not values alone.
  private var isWhole: Bool { scripts.contains { !$0.outline.hooks.isEmpty } }

  /// Whether scripts do nothing but compute values of rows that are copied otherwise.
  private var isByRows: Bool {
    let ways = planned.ways
    return !isWhole && scripts.allSatisfy { ways[$0.entity] == .computed }
  }

  /// Whether stages have changed the objects since they were made; they were compared before that.
  private var isRevised: Bool { isFinished && !planned.revisions.isEmpty }

  private var associations: String? {
    let path = folder.associations(ofStep: step)
    return PipelinePath.exists(path) ? path : nil
  }

  /// What the scripts make when they run again, compared with what they made.
  private func scripted(
    _ target: VerifiedStore, _ canceller: LuaCanceller, _ log: RunLog
  ) throws -> VerificationResult {
    let found = try again(target, canceller, log)
    guard found.count > 0 else { return found }
    // Was the store changed, or does a script not repeat itself? A third time shows it.
    return found.unrepeated(try again(target, canceller, log))
  }

  private func again(
    _ target: VerifiedStore, _ canceller: LuaCanceller, _ log: RunLog
  ) throws -> VerificationResult {
    try folder.removeAgain()
    defer { try? folder.removeAgain() }
    let staged = StagedRows(target, since: now?.since, limit: options.failureLimit)
    let work = try place.twin(of: step, next: staged, byRows: isByRows, options, canceller)
    defer { work.close() }
    let again = RunLog(repeating: log)
    if isWhole {
      for object in planned.mapping.objects where !object.isAbstract {
        guard !planned.claims(object.source) else { continue }
        try work.copy(object, ChunkLimits(), again)
      }
    }
    for script in scripts { try work.transform(script, again) }
    if isWhole { try work.connect(again) }
    work.close()
    return try isByRows ? staged.result : compareTwin(with: target, made, marked: staged.mark)
  }

  /// The part of a store that scripts have made.
  private var made: TwinComparison.Part {
    let computed = scripts.compactMap { script in
      planned.mapping.objects(from: script.entity).map { ($0.target, script.outline.computed) }
    }
    return isWhole ? .everything : .attributes(Dictionary(computed) { $0.union($1) })
  }

  /// What the scripts have made a second time, compared with what they made.
  private func compareTwin(
    with target: VerifiedStore, _ part: TwinComparison.Part, marked mark: StagedMark? = nil
  ) throws -> VerificationResult {
    let twin = VerifiedStore(
      path: folder.againPath, schema: target.schema,
      // Where large values are that no process has changed; what was made again as it is there has
      // the file that is there.
      externalFolders: [folder.againExternals, folder.nextExternals, try folder.externals]
        + target.externalFolders)
    return try TwinComparison(
      of: target, with: twin, part, marked: mark, since: now?.since, limit: options.failureLimit
    ).run()
  }
}
