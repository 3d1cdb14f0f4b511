internal import CSQLite
internal import OperatingSystem

/// What SQLite, or this layer before SQLite, said no to.
///
/// It carries the SQL text and never the values bound to it: those are the user's data.
package struct SQLiteError: Error, Equatable, Sendable {
  /// Why a file was refused before SQLite saw it.
  package enum Refusal: Sendable {
    case missing, exists, notRegular, empty, notADatabase, truncated
    case sideFileNotRegular, strangeSuperJournal, alreadyOpen, path
  }

  /// The extended result code.
  package let extendedCode: Int32
  /// What was wrong, in words.
  package let message: String
  /// The statement it was said about.
  package let sql: String?
  /// The file it was said about.
  package let path: String?
  /// Set when this layer refused the file itself.
  package let refusal: Refusal?

  /// An error from its parts.
  package init(
    _ extendedCode: Int32, _ message: String, sql: String? = nil, path: String? = nil,
    refusal: Refusal? = nil
  ) {
    self.extendedCode = extendedCode
    self.message = message
    self.sql = sql
    self.path = path
    self.refusal = refusal
  }

  /// The primary result code.
  package var code: Int32 { extendedCode & 0xff }
  /// The code's name, such as `SQLITE_CONSTRAINT_UNIQUE`.
  package var name: String { ResultCodeName.of(extendedCode) }

  /// Somebody else holds a lock that was needed.
  package var isBusy: Bool { code == SQLITE_BUSY || code == SQLITE_LOCKED }
  /// The file is damaged or no database.
  package var isCorrupt: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }
  /// The disk is full.
  package var isFull: Bool { code == SQLITE_FULL }
  /// The operating system failed to read or write.
  package var isIO: Bool { code == SQLITE_IOERR }
  /// The file was opened for reading only, or permissions do not allow what was wanted.
  package var isReadOnly: Bool { code == SQLITE_READONLY || code == SQLITE_PERM }
  /// The file could not be opened.
  package var isCannotOpen: Bool { code == SQLITE_CANTOPEN }
  /// A progress handler, a watchdog or an `Interrupter` stopped the statement.
  package var isInterrupted: Bool { code == SQLITE_INTERRUPT }
  /// A constraint of the schema was violated.
  package var isConstraint: Bool { code == SQLITE_CONSTRAINT }
  /// A value or statement beyond a limit.
  package var isTooBig: Bool { code == SQLITE_TOOBIG }
  /// The heap limit was reached.
  package var isOutOfMemory: Bool { code == SQLITE_NOMEM }
  /// Something the connection's guards forbid.
  package var isForbidden: Bool { code == SQLITE_AUTH }
  /// A mistake in the calling code.
  package var isMisuse: Bool { code == SQLITE_MISUSE || code == SQLITE_RANGE }
}

extension SQLiteError: CustomStringConvertible {
  /// What failed, to which file, in which statement, and what to do.
  package var description: String {
    var text = path.map { "\($0): " } ?? ""
    text += refusal == nil ? "\(message) (\(name))" : message
    if let sql { text += ", in: \(sql)" }
    if let advice { text += "; \(advice)" }
    return text
  }

  /// What the user can do about it, where that is known.
  package var advice: String? {
    if refusal != nil { return nil }
    switch extendedCode {
    case SQLITE_CANTOPEN, ExtendedCode.readOnlyRecovery, ExtendedCode.readOnlyCannotInitialize,
      ExtendedCode.readOnlyDirectory:
      return "a store with a -wal or -journal needs a folder that can be written: work on a copy"
    case ExtendedCode.readOnlyRollback:
      return "an unfinished transaction must be rolled back first: work on a copy"
    default: break
    }
    return switch code {
    case SQLITE_BUSY, SQLITE_LOCKED: "quit the application that has the file open and try again"
    case SQLITE_FULL: "free some space and try again"
    case SQLITE_CORRUPT, SQLITE_NOTADB: "restore the file from a backup"
    case SQLITE_IOERR: "check the disk and try again"
    case SQLITE_READONLY, SQLITE_PERM: "check the permissions of the file and its folder"
    default: nil
    }
  }
}

/// Extended codes this layer looks for; their macros are expressions, which Swift does not import.
enum ExtendedCode {
  static let abortRollback = SQLITE_ABORT | 2 << 8
  static let readOnlyRecovery = SQLITE_READONLY | 1 << 8
  static let readOnlyRollback = SQLITE_READONLY | 3 << 8
  static let readOnlyCannotInitialize = SQLITE_READONLY | 5 << 8
  static let readOnlyDirectory = SQLITE_READONLY | 6 << 8
  static let shortRead = SQLITE_IOERR | 2 << 8
}

extension SQLiteError {
  /// What a connection says about its last failed call.
  static func last(of handle: OpaquePointer?, sql: String? = nil, path: String? = nil) -> Self {
    var message = unsafe String(cString: sqlite3_errmsg(handle))
    let code = unsafe sqlite3_extended_errcode(handle)
    let number = unsafe sqlite3_system_errno(handle)
    if number != 0, code & 0xff == SQLITE_CANTOPEN || code & 0xff == SQLITE_IOERR {
      message += " (system: \(SystemError.words(number)))"
    }
    return Self(code, message, sql: sql, path: path)
  }

  /// An error for a code alone, in SQLite's own words for it.
  static func forCode(_ code: Int32, sql: String? = nil, path: String? = nil) -> Self {
    Self(code, unsafe String(cString: sqlite3_errstr(code)), sql: sql, path: path)
  }

  /// A mistake of the caller, found before SQLite was asked.
  static func misuse(_ message: String, sql: String? = nil, path: String? = nil) -> Self {
    Self(SQLITE_MISUSE, message, sql: sql, path: path)
  }

  /// A file this layer does not hand to SQLite.
  static func refused(_ refusal: Refusal, _ message: String, path: String) -> Self {
    let code =
      switch refusal {
      case .empty, .notADatabase: SQLITE_NOTADB
      case .truncated: SQLITE_CORRUPT
      case .alreadyOpen, .path: SQLITE_MISUSE
      case .missing, .exists, .notRegular, .sideFileNotRegular, .strangeSuperJournal:
        SQLITE_CANTOPEN
      }
    return Self(code, message, path: path, refusal: refusal)
  }

  /// A call to the operating system that failed while a file was being looked at.
  static func system(_ failure: SystemError, path: String) -> Self {
    if failure.isMissing { return missing(path) }
    let code =
      if failure.isDenied { SQLITE_PERM } else if failure.isFull { SQLITE_FULL } else {
        SQLITE_IOERR
      }
    return Self(code, failure.message, path: path)
  }
}
