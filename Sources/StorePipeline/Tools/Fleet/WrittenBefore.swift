internal import CoreDataStore
internal import StoreReplacement

/// Whether a store's new one was written elsewhere before, so that nothing is left to do.
enum WrittenBefore {
  /// Whether what is at the output is what this plan would make of the store as it is now.
  ///
  /// The state that the run has left names the run, what it was made of and the store's content;
  /// the output names the run that made it.
  static func isWhole(_ store: FleetStore, _ plan: Plan) throws -> Bool {
    guard let output = store.options.output, !store.options.restarts,
      try StoreFiles.isThere(output)
    else { return false }
    let folder = try WorkFolder(store: store.path, work: store.options.work)
    guard let state = try RunState.read(folder), state.work == .run, state.phase == .done,
      LockedRun.changes(state, plan.digests).isEmpty, let source = state.source,
      try Store(output).metadata.lastRun == state.run
    else { return false }
    return try !SourceSnapshot.hasChanged(folder, since: source)
  }
}
