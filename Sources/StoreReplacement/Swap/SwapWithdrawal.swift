internal import CoreDataStore
internal import OperatingSystem
internal import SQLite

// A swap that is not resumed.
extension Swap {
  /// Ends a swap that was cut short, so that nothing of it is left outside the run's folder.
  ///
  /// Where the exchange was made already it is finished, for the store is the new one. Else the
  /// files that were put next to the old store go again.
  ///
  /// The caller has the run's lock, and removes the run's files or begins another.
  ///
  /// - Returns: Whether the store is the new one.
  /// - Throws: ``Failure`` of kind `busy` when another process has the store.
  package func giveUp() throws -> Bool {
    guard state.phase >= .swapping, state.phase < .done else { return false }
    isSecondTry = state.phase == .swapped
    return try replacing("cannot give up the run", folder.store) {
      let store = try LockedStore(folder, wait: choices.wait)
      do {
        if try standing(store) == .new {
          settle(store) { _ in }
          clean()
          return true
        }
        try withdraw(from: store)
        try store.close()
        // Whatever goes there next, nothing may be left that says to put this store in place.
        try enter(.done)
        return false
      } catch {
        try? store.close()
        throw error
      }
    }
  }

  /// Whether another process has written to the store before the exchange was made, so that the
  /// swap cannot be finished.
  ///
  /// - Throws: ``Failure`` of kind `busy` when another process has the store.
  package func isOvertaken() throws -> Bool {
    try replacing("cannot look at the store", folder.store) {
      // Where the new store is in use already, the swap finds out.
      guard let store = try lock() else { return false }
      defer { try? store.close() }
      return try standing(store) == .changed
    }
  }

  /// Removes what the swap has put next to a store that is not the new one.
  func withdraw(from store: LockedStore) throws {
    try SwapBlobs(folder, StoreFiles(folder.store), for: state.work).takeBack(
      state.blobsToAdd, from: store)
    try FileMoves.remove(folder.store + FileMoves.unfinished)
    try store.removeLeftovers()
  }
}
