/// How a database file is opened: what may be done to it and what it may do to us.
package struct OpenMode: Sendable {
  /// What happens to the file.
  package enum Access: Sendable {
    /// The file is there and is only read. In WAL mode SQLite still leaves -wal and -shm next to
    /// it.
    case readOnly
    /// The file is there and is written.
    case readWrite
    /// The file is not there yet.
    case create
  }

  /// What happens to the file.
  package var access: Access
  /// What the connection refuses to do.
  package var guards: Guards
  /// Take the file's lock for the whole life of the connection, from its first read on.
  ///
  /// Set before the first read, "EXCLUSIVE locking mode ... prevents other connections" even from
  /// reading in WAL mode, and finds idle readers (SQLite, PRAGMA locking_mode).
  package var locksExclusively = false
  /// Read without a lock and without making a -shm or -wal.
  private(set) var way: ReadWay?
  /// Whether the lock can be kept while something else than SQLite writes into the file.
  package var canHoldLock = false
  /// Whether a file in WAL mode with nothing in its log is read as one in rollback mode, where the
  /// lock can be kept: it stays what it is, and SQLite does not write to leave the mode and to
  /// return to it.
  package var hidesWAL = false
  /// Whether an ``Overlay`` may be there in place of a database: where a run keeps stores that it
  /// makes, and nowhere else is one written to.
  var readsOverlays: Bool { access != .create && !locksExclusively && way == nil }
  /// How long a statement waits for another connection's lock, the opening included.
  package var wait = Duration.zero
  /// How commits reach the disk.
  package var durability = Durability.full
  /// The size of a page of a new file.
  package var pageSize = 4096
  /// The auto_vacuum of a new file: 0 none, 1 full, 2 incremental.
  package var autoVacuum = 2

  /// The bytes that the log of an overlay may always have: see ``Connection/keepLogShort(_:)``.
  ///
  /// To start it over takes three syncs and what has changed once more: for so many bytes that is
  /// little.
  package var longestLog = Self.usualLog
  package static let usualLog = 192 << 20

  /// How surely a commit outlives a power cut.
  package enum Durability: String, Sendable {
    /// Nothing is synced: for files that are made again if the machine stops.
    case off
    /// Synced before the commit returns.
    case full
    /// And the folder after the journal's removal.
    case extra
  }

  private init(_ access: Access, _ guards: Guards) {
    self.access = access
    self.guards = guards
  }

  /// A file that others made, to be read.
  package static var foreign: Self { Self(.readOnly, .foreign) }

  /// A file that others made and no process writes, to be read with nothing left next to it.
  ///
  /// Reading fails once another process writes.
  package static var still: Self { read(by: .still) }

  /// A small file that others made, which is read into memory with nothing left next to it.
  package static var loaded: Self { read(by: .loaded) }

  private static func read(by way: ReadWay) -> Self {
    var mode = Self(.readOnly, .foreign)
    mode.way = way
    return mode
  }

  /// A file that others made, to be replaced or restored under an exclusive lock.
  package static var foreignWritable: Self {
    var mode = Self(.readWrite, .foreign)
    mode.locksExclusively = true
    mode.durability = .extra
    return mode
  }

  /// A file that we make (`create`) or made earlier.
  package static func own(create: Bool) -> Self { Self(create ? .create : .readWrite, .own) }
}

/// What a connection refuses, so that a file from an unknown author cannot act.
///
/// The list is that of "Untrusted SQLite Database Files" (SQLite, Defense Against The Dark Arts).
package struct Guards: Sendable {
  package var triggers: Bool
  /// Views may be read.
  package var views: Bool
  /// A misspelt column in double quotes counts as a string in CREATE statements, as in old files.
  package var looseQuotesInSchema: Bool
  /// The longest text, blob or row in bytes.
  package var longestValue = SQLiteLibrary.longestValue
  /// The longest SQL text in bytes.
  package var longestStatement: Int32 = 1_048_576
  /// The depth of an expression's tree.
  package var expressionDepth: Int32 = 100
  /// The length of a prepared statement's program.
  package var programLength: Int32 = 250_000
  /// Files attached at once: one source to one destination, and one more for VACUUM.
  package var attached: Int32 = 2

  private init(triggers: Bool, views: Bool, looseQuotesInSchema: Bool) {
    self.triggers = triggers
    self.views = views
    self.looseQuotesInSchema = looseQuotesInSchema
  }

  /// For files that others made.
  package static var foreign: Self {
    Self(triggers: false, views: false, looseQuotesInSchema: true)
  }

  /// For files that we make: the same, as a file that others made may be attached to one.
  package static var own: Self { Self(triggers: false, views: false, looseQuotesInSchema: false) }
}
