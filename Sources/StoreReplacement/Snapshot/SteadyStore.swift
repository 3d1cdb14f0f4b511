internal import CoreDataStore
internal import OperatingSystem
internal import SQLite

/// A store of which a backup can be copied while others continue to use it.
///
/// What is read stays as it is from here to `close()`. In rollback mode "the SHARED lock prevents
/// any other process from writing" to the main file (File Locking And Concurrency). In WAL mode a
/// read transaction keeps its part of the log from being overwritten, and a checkpoint writes into
/// the main file only what is in the log too (Write-Ahead Logging): so a copy of the main file and,
/// after it, of the -wal is the content of one moment, this one or a later one.
final class SteadyStore: CopiedStore {
  let journal: String
  /// Unknown: others may have committed to the -wal before that was copied.
  let image: PageImage? = nil
  let reader: Connection? = nil

  private let connection: Connection?
  private let clone: TemporaryClone?
  private let path: String
  private var main: OpenDescriptor?

  /// How often copying starts over because the -wal is restarted meanwhile.
  private static let attempts = 10

  /// - Throws: ``Failure`` of kind `busy` when another process writes for longer than `wait`.
  init(_ files: StoreFiles, wait: Duration) throws {
    let header = try DatabaseFile.examine(files.path).header
    journal = header.isWAL ? "wal" : "delete"
    if try UnharmedReader.needsClone(files) {
      let clone = try TemporaryClone(of: files)
      try Self.settle(clone.path)
      (self.clone, path, connection) = (clone, clone.path, nil)
      main = try OpenDescriptor(reading: path)
      return
    }
    // Opened before SQLite locks the file and closed after: "if a process closes any descriptor of
    // a file, all its locks on the file are dropped" (POSIX, fcntl).
    main = try OpenDescriptor(reading: files.path)
    var mode = OpenMode.foreign
    mode.wait = wait
    let connection = try Connection(path: files.path, mode: mode)
    try connection.execute("BEGIN")
    _ = try connection.scalar("SELECT 1 FROM sqlite_master LIMIT 1")
    (clone, path, self.connection) = (nil, files.path, connection)
  }

  /// Rolls back what a crash left, and puts the log into the main file.
  private static func settle(_ path: String) throws {
    let connection = try Connection(path: path, mode: .foreignWritable)
    _ = try connection.setJournalMode("DELETE")
    try connection.close()
  }

  func clone(to target: String) throws {
    for _ in 0..<Self.attempts {
      // "The salts are changed each time it is reset" (Database File Format, 4): frames of two logs
      // are never mixed.
      let before = try FileSystem.start(of: path + "-wal", count: 32)
      for suffix in ["", "-wal"] { try FileMoves.remove(target + suffix) }
      try main?.clone(to: target)
      if let before, !before.isEmpty { try FileSystem.clone(path + "-wal", to: target + "-wal") }
      if try FileSystem.start(of: path + "-wal", count: 32) == before { return }
    }
    throw Failure(
      .busy, what: "cannot copy the store", subject: path, why: "It is being written all the time.",
      remedy: "Quit the application that has the store open and try again.")
  }

  func copyAttributes(to target: String) throws {
    try main?.copyAttributes(at: path, to: target)
  }

  /// Lets others write again.
  func close() throws {
    try connection?.close()
    main = nil
  }
}
