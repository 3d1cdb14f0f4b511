internal import Formats
internal import Foundation
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

  /// Why a file could not be read or written, as a sentence: Foundation's own names neither the
  /// folder that is missing nor the permission.
  package static func reason(_ error: any Error, at path: String) -> String {
    if let error = error as? SystemError { return "\(error.words)." }
    let folder = URL(filePath: path).deletingLastPathComponent()
    guard FileManager.default.fileExists(atPath: "\(folder.path)/.") else {
      return "There is no folder \(folder.relativePath)."
    }
    switch (error as? CocoaError)?.code {
    case .fileNoSuchFile, .fileReadNoSuchFile: return "There is no such file."
    case .fileWriteFileExists: return "Something is there already."
    case .fileReadNoPermission, .fileWriteNoPermission: return "You have no permission for it."
    case .fileWriteOutOfSpace: return "The disk is full."
    case .fileReadInapplicableStringEncoding: return "It is not UTF-8 text."
    default:
      let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError ?? error as NSError
      return cause.domain == NSPOSIXErrorDomain
        ? "\(SystemError.words(Int32(truncatingIfNeeded: cause.code)))."
        : "\(cause.localizedDescription)."
    }
  }

  /// The machine's refusal to make a file or folder.
  package static func unwritten(what: String, _ path: String, _ error: any Error) -> Failure {
    Failure(
      .refused, what: what, subject: path, why: reason(error, at: path),
      remedy: "Name a path in a folder that is there and that you may write in, with space left.")
  }

  private static func sentence(_ error: SQLiteError) -> String {
    let most = StoreLimits.longestValue
    if error.isTooBig { return "A value or an object is longer than \(ByteSize.text(most))." }
    if error.isOutOfMemory {
      return "More than \(ByteSize.text(4 * most)) would be needed at once."
    }
    if isOfEncoding(error) { return "Its text is UTF-16, and a store of Core Data has UTF-8." }
    let reason = error.refusal == nil ? "\(error.message) (\(error.name))" : error.message
    return reason.prefix(1).uppercased() + reason.dropFirst() + "."
  }

  /// SQLite attaches no database whose texts are encoded otherwise.
  private static func isOfEncoding(_ error: SQLiteError) -> Bool {
    error.message.contains("must use the same text encoding")
  }

  private static func remedy(_ error: SQLiteError, _ kind: Kind) -> String {
    if isOfEncoding(error) {
      return "Make a copy in UTF-8 with `sqlite3 OLD .dump | sqlite3 NEW`, and migrate the copy."
    }
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
