/// Keeps a second process away from the run of a store, until it is unlocked or goes.
package final class RunLock {
  private var descriptor: OpenDescriptor?

  /// Takes the lock, without waiting; the folders are made when they are not there.
  ///
  /// - Throws: ``StoreError`` of kind `busy` when another process has it.
  package init(_ folder: RunFolder) throws {
    try folder.make()
    do {
      let descriptor = try OpenDescriptor(locking: folder.lockPath)
      guard try descriptor.lock() else { throw Self.busy(folder) }
      self.descriptor = consume descriptor
    } catch let error as SystemError {
      throw StoreError(error, what: Self.what, subject: folder.lockPath)
    }
  }

  private static func busy(_ folder: RunFolder) -> StoreError {
    StoreError(
      .busy, what: what, subject: folder.store,
      why: "Another pipeline process is at work on this store.",
      remedy: "Wait for it, or look at it with `pipeline status`.")
  }

  private static let what = "cannot begin a run"

  /// Gives the lock back.
  package func unlock() { descriptor = nil }
}
