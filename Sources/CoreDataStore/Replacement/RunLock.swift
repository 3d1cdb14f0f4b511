/// Keeps a second process away from the run of a store, until it is unlocked or goes.
package final class RunLock {
  private var descriptor: OpenDescriptor?

  /// Takes the lock, nearly without waiting; the folders are made when they are not there.
  ///
  /// - Throws: ``StoreError`` of kind `busy` when another process has it.
  package init(_ folder: RunFolder) throws {
    for _ in 0..<Self.attempts {
      try folder.make()
      do {
        descriptor = try Self.take(folder.lockPath)
      } catch {
        throw StoreError(error, what: Self.what, subject: folder.lockPath)
      }
      if descriptor != nil { return }
      Pause.short()
    }
    throw Self.busy(folder)
  }

  /// Who only asks whether it is taken has it for a moment.
  private static let attempts = 5

  /// The lock; nil when somebody has it.
  private static func take(_ path: String) throws(SystemError) -> OpenDescriptor? {
    let descriptor = try OpenDescriptor(locking: path)
    guard try descriptor.lock() else { return nil }
    // The run may have been abandoned meanwhile, and its folder removed: then the lock is nobody's.
    guard try FileEntry.at(path)?.identity == FileEntry.of(descriptor).identity else { return nil }
    return descriptor
  }

  /// Whether a process is at work on the store.
  package static func isTaken(_ folder: RunFolder) throws -> Bool {
    try replacing("cannot look at the run", folder.lockPath) {
      guard try FileEntry.at(folder.lockPath) != nil else { return false }
      let descriptor = try OpenDescriptor(reading: folder.lockPath)
      guard try descriptor.lock() else { return true }
      descriptor.unlock()
      return false
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
  package func unlock() {
    descriptor?.unlock()
    descriptor = nil
  }
}
