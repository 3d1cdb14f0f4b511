internal import CoreDataStore
internal import StoreReplacement

// What an interrupted run has left, for a caller that has no user to ask.
extension Run {
  /// Gives up what an interrupted run has left where its state is not of this store: another file
  /// has taken the store's place, as after a device was restored, or the state is damaged.
  ///
  /// The store is whole whatever the state says: the exchange is one transaction of SQLite.
  ///
  /// - Throws: `Failure` of kind `busy` when another process is at work.
  package static func giveUpUnreadable(of store: String, work: String?) throws {
    let folder = try WorkFolder(store: store, work: work)
    do {
      _ = try RunState.look(at: folder)
    } catch let error as Failure where error.kind == .unusable {
      _ = try RunAbandoning.abandon(folder)
    }
  }

  /// Gives up what an interrupted run has left if the pipeline, a script, a model or this library
  /// has changed since.
  ///
  /// An exchange that has begun is not given up: the run finishes it.
  ///
  /// - Returns: How many steps of the interrupted run are whole; 0 when there is nothing to resume.
  /// - Throws: `Failure` of kind `busy` when another process is at work.
  package func giveUpOutdated() throws -> Int {
    let folder = try WorkFolder(store: store, work: options.work)
    guard let state = try RunState.look(at: folder), state.phase != .done, state.work == .run
    else { return 0 }
    let fits =
      state.shape == RunState.currentShape && LockedRun.changes(state, plan.digests).isEmpty
    if fits || state.phase >= .swapping { return state.step }
    _ = try RunAbandoning.abandon(folder)
    return 0
  }
}

extension Plan {
  /// Whether the run puts the new store in the old one's place.
  package var replacesStore: Bool { declarations.swap != nil }
}
