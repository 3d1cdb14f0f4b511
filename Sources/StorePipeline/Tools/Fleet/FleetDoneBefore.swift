internal import CoreDataStore
internal import OperatingSystem
internal import StoreReplacement

extension WrittenBefore {
  /// The summary of a store that an earlier run of this pipeline has finished: there is nothing to
  /// plan for it, and nothing to lock.
  ///
  /// The same command takes up what is unfinished; what is done must cost it next to nothing, or
  /// ten thousand stores would be looked at for longer than they are worked on. The state that the
  /// run has left says that it is done, the store's own log that it was made by this run, and its
  /// version hashes that it is of the target's version still.
  ///
  /// - Returns: The summary; nil where the store has to be looked at more closely.
  static func current(_ store: FleetStore, _ planner: Planner) throws -> RunSummary? {
    let options = store.options
    guard options.output == nil, options.dryRun == nil, options.until == nil, !options.restarts,
      !planner.settings.force, planner.declarations.endsWhenCurrent,
      planner.declarations.versionScript == nil,
      !planner.pipeline.stages.contains(where: { $0.stage.name == "hook" })
    else { return nil }
    // A run that was killed behind its swap has left none.
    if let report = options.report, try FileEntry.at(report) == nil { return nil }
    let folder = try WorkFolder(store: store.path, work: options.work)
    guard let state = try RunState.read(folder), state.work == .run, state.phase == .done,
      let digests = PlanDigests(state.digests)
    else { return nil }
    let target = try VersionChain(planner.pipeline, planner.library, stages: planner.stages).target
    let metadata = try Store(store.path, reading: .sound).metadata
    guard metadata.lastRun == state.run, target.entities.count == metadata.hashes.count,
      target.fits(metadata.hashes)
    else { return nil }
    return RunSummary(
      run: RunID().text, store: store.path, source: target.name, target: target.name,
      outcome: .upToDate, digests: digests)
  }
}

extension PlanDigests {
  /// The digests that a run's state has kept.
  fileprivate init?(_ kept: [String: String]) {
    guard let pipeline = kept["pipeline"], let models = kept["models"] else { return nil }
    let prefix = "script "
    let scripts = kept.filter { $0.key.hasPrefix(prefix) }.sorted { $0.key < $1.key }
      .map { (name: String($0.key.dropFirst(prefix.count)), digest: $0.value) }
    self.init(pipeline: pipeline, scripts: scripts, models: models)
  }
}
