internal import Formats
package import OperatingSystem
package import SQLite

// What is wrong with a store, as SQLite and the operating system report it.
extension Failure {
  /// The remedy for a store that is damaged.
  package static let restore = "Restore the store from a backup, or take another copy of it."

  /// An error of SQLite, met in a store.
  package init(_ error: SQLiteError, what: String, subject: String) {
    let kind = Kind(error)
    self.init(
      kind, what: what, subject: subject, why: Self.sentence(error),
      remedy: Self.remedy(error, kind))
  }

  /// A call to the operating system that failed.
  package init(_ error: SystemError, what: String, subject: String) {
    guard !error.isMissing else {
      self = .missing(what: what, subject: subject)
      return
    }
    if let obstacle = error.obstacle {
      self.init(
        .unusable, what: what, subject: subject, why: "In its place is \(obstacle).",
        remedy: "Move that away, and try again.")
      return
    }
    self.init(
      .refused, what: what, subject: subject, why: "\(error.message).",
      remedy: error.isFull
        ? "Free some space, or set TMPDIR to a folder that has it, and try again."
        : "Check the disk and the permissions, and try again.")
  }

  /// The file of a large value that cannot be read.
  ///
  /// One that is missing, or is no regular file, is what is wrong with the store; anything else is
  /// the machine's refusal.
  package init(external error: SystemError, what: String, subject: String) {
    guard error.isNoFile else {
      self.init(error, what: what, subject: subject)
      return
    }
    self.init(
      .unusable, what: what, subject: subject,
      why: error.isMissing
        ? "The file of the value is missing."
        : "What is in the place of the value's file is not a regular file.",
      remedy: "Put the file back from a backup, or empty the value in the application.")
    isOfMissingValue = true
  }

  /// Nothing is where the store should be.
  package static func missing(what: String, subject: String) -> Failure {
    Failure(
      .unusable, what: what, subject: subject, why: "There is no such file.",
      remedy: "Check the path.")
  }

  private static func sentence(_ error: SQLiteError) -> String {
    let most = StoreLimits.longestValue
    if error.isTooBig { return "A value or an object is longer than \(ByteSize.text(most))." }
    if error.isOutOfMemory {
      return "More than \(ByteSize.text(4 * most)) would be needed at once."
    }
    let reason = error.refusal == nil ? "\(error.message) (\(error.name))" : error.message
    return reason.prefix(1).uppercased() + reason.dropFirst() + "."
  }

  private static func remedy(_ error: SQLiteError, _ kind: Kind) -> String {
    if error.isTooBig || error.isOutOfMemory {
      return "Allow longer values with --longest-value '1 GB'."
    }
    if error.refusal == .missing || error.refusal == .path { return "Check the path." }
    if error.refusal == .notADatabase { return "Give the file of a Core Data SQLite store." }
    if error.refusal == .strangeSuperJournal {
      return "Move the -journal away only if you know where it came from."
    }
    return switch kind {
    case .busy: "Quit the application that has the store open and try again."
    case .refused: "Check the disk, its free space and the permissions, and try again."
    default: restore
    }
  }
}

extension Failure.Kind {
  init(_ error: SQLiteError) {
    if error.isBusy || error.refusal == .alreadyOpen {
      self = .busy
    } else if error.refusal == nil, error.isFull || error.isIO || error.isReadOnly {
      self = .refused
    } else if error.refusal == nil, error.isCannotOpen || error.isOutOfMemory {
      self = .refused
    } else {
      self = .unusable
    }
  }
}
