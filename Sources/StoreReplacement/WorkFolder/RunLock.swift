internal import CoreDataStore
internal import OperatingSystem

/// Keeps a second process away from the run of a store, until it is unlocked or goes.
package final class RunLock {
  private var descriptor: OpenDescriptor?

  /// Takes the lock, nearly without waiting; the folders are made when they are not there.
  ///
  /// - Throws: ``Failure`` of kind `busy` when another process has it.
  package init(_ folder: WorkFolder) throws {
    var refusal = Self.busy(folder)
    for _ in 0..<Self.attempts {
      do {
        try folder.make()
        descriptor = try Self.take(folder.lockPath)
        if descriptor != nil { return }
        refusal = Self.busy(folder)
      } catch let error as Failure where error.kind == .unusable {
        // Another process that ends its run, or gives it up, removes the folders meanwhile.
        refusal = error
      }
      Pause.short()
    }
    throw refusal
  }

  /// Who only asks whether it is taken has it for a moment.
  private static let attempts = 5

  /// The lock; nil when another process has it.
  private static func take(_ path: String) throws -> OpenDescriptor? {
    do throws(SystemError) {
      // The run may be given up meanwhile, and its folder removed.
      return try OpenDescriptor.taking(path)
    } catch {
      // The folder has just been made: who removed it has the lock.
      if error.isMissing { return nil }
      throw Failure(error, what: what, subject: path)
    }
  }

  /// Whether a process is at work on the store.
  package static func isTaken(_ folder: WorkFolder) throws -> Bool {
    try replacing("cannot look at the run", folder.lockPath) {
      do throws(SystemError) {
        let descriptor = try OpenDescriptor(reading: folder.lockPath)
        guard try descriptor.lock() else { return true }
        descriptor.unlock()
        return false
      } catch {
        if error.isMissing { return false }
        throw error
      }
    }
  }

  /// Looks at a run's folder before the lock is taken.
  ///
  /// - Throws: ``Failure`` of kind `busy` where the look fails while another process is at work:
  ///   what it finds then may be of that process's store.
  package static func unlessTaken<Found>(
    _ folder: WorkFolder, _ look: () throws -> Found
  ) throws -> Found {
    do {
      return try look()
    } catch  where (try? isTaken(folder)) == true {
      throw busy(folder)
    }
  }

  private static func busy(_ folder: WorkFolder) -> Failure {
    Failure(
      .busy, what: what, subject: folder.store,
      why: "Another pipeline process is at work on this store.",
      remedy: "Wait for it, or look at it with `\(folder.command("status"))`.")
  }

  private static let what = "cannot begin a run"

  /// Gives the lock back.
  package func unlock() {
    descriptor?.unlock()
    descriptor = nil
  }
}
