package import CoreDataStore

/// How the new store takes the old one's place.
package struct SwapChoices: Sendable, Hashable {
  /// The way the content gets into the store's file.
  package enum Method: String, CaseIterable, Sendable {
    /// By writing into the file, in one transaction of SQLite.
    case replace
    /// By renaming the new file over it: for stores too large for the journal.
    case rename
  }

  /// The journal mode that the result asks for.
  package enum Journal: String, CaseIterable, Sendable {
    /// The one the source had.
    case same
    /// The write-ahead log.
    case wal
    /// The rollback journal.
    case delete
  }

  package var backupKeep: BackupsKept
  /// The way the content gets into the store's file.
  package var method: Method
  /// The journal mode that the result asks for.
  package var journal: Journal
  /// How long to wait for another process that has the store.
  package var wait: Duration

  /// The runs whose backups rejected objects wait for, which stay: by nil those of the store, by
  /// the run of a backup those of the store in it.
  package var awaited: [String?: Set<String>] = [:]

  /// Whether a swap that was cut short is finished, and none starts over.
  package var finishesOnly = false

  /// Choices, each with its default.
  package init(
    backupKeep: BackupsKept = .count(3), method: Method = .replace, journal: Journal = .same,
    wait: Duration = .seconds(5)
  ) {
    self.backupKeep = backupKeep
    self.method = method
    self.journal = journal
    self.wait = wait
  }
}

package struct SwapResult: Sendable, Hashable {
  /// The folder of the backup; nil when none was wanted.
  package var backup: String?
  /// What went wrong after the new store was in place, a sentence each.
  package var warnings: [String]
  /// The run's state at the end.
  package var state: RunState

  package init(backup: String?, warnings: [String], state: RunState) {
    self.backup = backup
    self.warnings = warnings
    self.state = state
  }
}

/// The steps of a swap, each reported before it begins.
package enum SwapStep: String, CaseIterable, Sendable {
  /// The store is locked and compared with what was copied.
  case open
  /// The old store is copied, and the copy checked.
  case backup
  /// The new store's large values are put next to it.
  case blobs
  /// The content is exchanged.
  case replace
  /// The result is compared with what it was to be.
  case check
  /// The journal mode is put back.
  case journal
  /// Large values that only the old store had are removed.
  case drop
  /// Backups beyond those that stay, and the run's own files, are removed.
  case clean
}

/// Is called with each step before it begins; an error stops the swap, unless the new store is in
/// its place or may be.
package typealias SwapProgress = (SwapStep) throws -> Void

extension SwapChoices {
  /// The journal mode that the new store is to have, "wal" or "delete".
  package func journal(like source: SourceRecord?) -> String {
    journal == .same ? source?.journal ?? "delete" : journal.rawValue
  }
}
