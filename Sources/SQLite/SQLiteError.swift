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

  package let extendedCode: Int32
  /// What was wrong, in words.
  package let message: String
  /// The statement it was said about.
  package let sql: String?
  /// The file it was said about.
  package let path: String?
  /// Set when this layer refused the file itself.
  package let refusal: Refusal?

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

  /// Another connection holds a lock that was needed.
  package var isBusy: Bool { code == SQLITE_BUSY || code == SQLITE_LOCKED }
  /// The file is damaged or no database.
  package var isCorrupt: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }
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
      if failure.isDenied { SQLITE_PERM } else if failure.isFull {
        SQLITE_FULL
      } else if failure.isOutOfFiles { SQLITE_CANTOPEN } else { SQLITE_IOERR }
    return Self(code, failure.message, path: path)
  }
}

/// The names of SQLite's result codes, as its documentation spells them.
enum ResultCodeName {
  /// The name of an extended or primary code: the exact one, else the primary code's.
  static func of(_ code: Int32) -> String {
    extended[code] ?? primary[code & 0xff] ?? "SQLITE_\(code)"
  }

  private static let primary: [Int32: String] = [
    0: "SQLITE_OK", 1: "SQLITE_ERROR", 2: "SQLITE_INTERNAL", 3: "SQLITE_PERM", 4: "SQLITE_ABORT",
    5: "SQLITE_BUSY", 6: "SQLITE_LOCKED", 7: "SQLITE_NOMEM", 8: "SQLITE_READONLY",
    9: "SQLITE_INTERRUPT", 10: "SQLITE_IOERR", 11: "SQLITE_CORRUPT", 12: "SQLITE_NOTFOUND",
    13: "SQLITE_FULL", 14: "SQLITE_CANTOPEN", 15: "SQLITE_PROTOCOL", 16: "SQLITE_EMPTY",
    17: "SQLITE_SCHEMA", 18: "SQLITE_TOOBIG", 19: "SQLITE_CONSTRAINT", 20: "SQLITE_MISMATCH",
    21: "SQLITE_MISUSE", 22: "SQLITE_NOLFS", 23: "SQLITE_AUTH", 24: "SQLITE_FORMAT",
    25: "SQLITE_RANGE", 26: "SQLITE_NOTADB", 27: "SQLITE_NOTICE", 28: "SQLITE_WARNING",
    100: "SQLITE_ROW", 101: "SQLITE_DONE",
  ]

  /// "Extended result codes: the least significant 8 bits are the primary code" (Result Codes).
  private static let extended: [Int32: String] = [
    257: "SQLITE_ERROR_MISSING_COLLSEQ", 513: "SQLITE_ERROR_RETRY", 769: "SQLITE_ERROR_SNAPSHOT",
    266: "SQLITE_IOERR_READ", 522: "SQLITE_IOERR_SHORT_READ", 778: "SQLITE_IOERR_WRITE",
    1034: "SQLITE_IOERR_FSYNC", 1290: "SQLITE_IOERR_DIR_FSYNC", 1546: "SQLITE_IOERR_TRUNCATE",
    1802: "SQLITE_IOERR_FSTAT", 2058: "SQLITE_IOERR_UNLOCK", 2314: "SQLITE_IOERR_RDLOCK",
    2570: "SQLITE_IOERR_DELETE", 2826: "SQLITE_IOERR_BLOCKED", 3082: "SQLITE_IOERR_NOMEM",
    3338: "SQLITE_IOERR_ACCESS", 3594: "SQLITE_IOERR_CHECKRESERVEDLOCK", 3850: "SQLITE_IOERR_LOCK",
    4106: "SQLITE_IOERR_CLOSE", 4362: "SQLITE_IOERR_DIR_CLOSE", 4618: "SQLITE_IOERR_SHMOPEN",
    4874: "SQLITE_IOERR_SHMSIZE", 5130: "SQLITE_IOERR_SHMLOCK", 5386: "SQLITE_IOERR_SHMMAP",
    5642: "SQLITE_IOERR_SEEK", 5898: "SQLITE_IOERR_DELETE_NOENT", 6154: "SQLITE_IOERR_MMAP",
    6410: "SQLITE_IOERR_GETTEMPPATH", 6666: "SQLITE_IOERR_CONVPATH", 6922: "SQLITE_IOERR_VNODE",
    7178: "SQLITE_IOERR_AUTH", 7434: "SQLITE_IOERR_BEGIN_ATOMIC",
    7690: "SQLITE_IOERR_COMMIT_ATOMIC", 7946: "SQLITE_IOERR_ROLLBACK_ATOMIC",
    8202: "SQLITE_IOERR_DATA", 8458: "SQLITE_IOERR_CORRUPTFS", 262: "SQLITE_LOCKED_SHAREDCACHE",
    518: "SQLITE_LOCKED_VTAB", 261: "SQLITE_BUSY_RECOVERY", 517: "SQLITE_BUSY_SNAPSHOT",
    773: "SQLITE_BUSY_TIMEOUT", 270: "SQLITE_CANTOPEN_NOTEMPDIR", 526: "SQLITE_CANTOPEN_ISDIR",
    782: "SQLITE_CANTOPEN_FULLPATH", 1038: "SQLITE_CANTOPEN_CONVPATH",
    1294: "SQLITE_CANTOPEN_DIRTYWAL", 1550: "SQLITE_CANTOPEN_SYMLINK", 267: "SQLITE_CORRUPT_VTAB",
    523: "SQLITE_CORRUPT_SEQUENCE", 779: "SQLITE_CORRUPT_INDEX", 264: "SQLITE_READONLY_RECOVERY",
    520: "SQLITE_READONLY_CANTLOCK", 776: "SQLITE_READONLY_ROLLBACK",
    1032: "SQLITE_READONLY_DBMOVED", 1288: "SQLITE_READONLY_CANTINIT",
    1544: "SQLITE_READONLY_DIRECTORY", 516: "SQLITE_ABORT_ROLLBACK", 275: "SQLITE_CONSTRAINT_CHECK",
    531: "SQLITE_CONSTRAINT_COMMITHOOK", 787: "SQLITE_CONSTRAINT_FOREIGNKEY",
    1043: "SQLITE_CONSTRAINT_FUNCTION", 1299: "SQLITE_CONSTRAINT_NOTNULL",
    1555: "SQLITE_CONSTRAINT_PRIMARYKEY", 1811: "SQLITE_CONSTRAINT_TRIGGER",
    2067: "SQLITE_CONSTRAINT_UNIQUE", 2323: "SQLITE_CONSTRAINT_VTAB",
    2579: "SQLITE_CONSTRAINT_ROWID", 2835: "SQLITE_CONSTRAINT_PINNED",
    3091: "SQLITE_CONSTRAINT_DATATYPE", 283: "SQLITE_NOTICE_RECOVER_WAL",
    539: "SQLITE_NOTICE_RECOVER_ROLLBACK", 284: "SQLITE_WARNING_AUTOINDEX", 279: "SQLITE_AUTH_USER",
    256: "SQLITE_OK_LOAD_PERMANENTLY", 512: "SQLITE_OK_SYMLINK",
  ]
}
