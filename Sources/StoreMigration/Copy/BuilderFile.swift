internal import CoreDataStore
internal import OperatingSystem
internal import SQLite
internal import StoreReplacement

/// The file of a store that is being built, as an earlier run may have left it.
struct BuilderFile {
  let path: String
  let schema: StoreSchema
  let contents: NewStoreContents
  let life: StoreBuilder.Life

  /// A store without tables: in memory, a file or, as an overlay, a log.
  func begin(isLogged: Bool) throws -> NewStore {
    do {
      if life == .inMemory {
        return try NewStore(
          resuming: try Connection(inMemory: .own), schema: schema, contents: contents)
      }
      if isLogged {
        try Overlay.makeEmpty(at: path, pageSize: contents.pageSize)
        return try resumed()
      }
    } catch let error as SystemError {
      throw Failure(error, what: Self.what, subject: path)
    } catch let error as SQLiteError {
      throw Failure(error, what: Self.what, subject: path)
    }
    return try journaled(
      try NewStore(
        at: path, schema: schema, contents: contents, durability: life == .lasting ? .full : .off))
  }

  private func resumed() throws -> NewStore {
    var mode = OpenMode.own(create: false)
    mode.durability = life == .lasting ? .full : .off
    return try journaled(
      try NewStore(
        resuming: try Connection(path: path, mode: mode), schema: schema, contents: contents))
  }

  /// Keeps the journal's file from commit to commit; who finishes the store removes it.
  ///
  /// That of a store which does not last is in memory.
  ///
  /// "On many systems, truncating a file is much faster than deleting the file since the containing
  /// directory does not need to be changed" (PRAGMA journal_mode).
  private func journaled(_ store: NewStore) throws -> NewStore {
    do {
      if !store.connection.isOverlay {
        try store.connection.setJournalMode(life == .lasting ? "TRUNCATE" : "MEMORY")
      }
      return store
    } catch {
      throw Failure(error, what: Self.what, subject: path)
    }
  }

  /// A store with all that another one has, which no process writes meanwhile: a copy of the file
  /// or, as an overlay, what will differ from it alone.
  ///
  /// A copy shares the other one's blocks where the file system can do that. It is made, too, where
  /// too many overlays would be on top of each other.
  func begin(with source: String, isOverlay: Bool) throws -> NewStore {
    do {
      if isOverlay, Overlay.canBeBase(source) {
        try Overlay.make(at: path, on: source)
      } else {
        try PageFile.copy(source, to: path)
      }
      return try resumed()
    } catch let error as SystemError {
      throw Failure(error, what: Self.what, subject: path)
    } catch let error as SQLiteError {
      throw Failure(error, what: Self.what, subject: path)
    }
  }

  private static let what = "cannot make the new store"

  /// The file of an earlier run; nil when there is none that is any good, and then none at all.
  ///
  /// A log that a killed process left alone would be taken for that of the next file of its name:
  /// "if a database file is separated from its WAL file, then transactions ... might be lost, or
  /// the database file might become corrupted" (SQLite, Write-Ahead Logging).
  func resume() throws -> NewStore? {
    if life == .lasting, try isThere(), let connection = try open() {
      return try journaled(
        try NewStore(resuming: connection, schema: schema, contents: contents))
    }
    // What a killed run has left next to it must not be taken for a part of the next one.
    try StagedFile.remove(path)
    return nil
  }

  /// Whether the file at a path is a sound store that a run has finished.
  ///
  /// The run's mark is in it, and none of our tables: the transaction that removes them is the last
  /// one. A log that a power cut has cut off ends with a whole commit before.
  static func isWhole(_ path: String, markedBy run: String) throws -> Bool {
    do {
      guard try FileEntry.at(path) != nil, try !Overlay.isOne(path) || Overlay.hasBase(path)
      else { return false }
      let connection = try Connection(path: path, mode: .foreign)
      defer { try? connection.close() }
      let tables = try Schema(of: connection)
      return try BuilderTables.all.allSatisfy { tables.table($0) == nil }
        && CommitMarker.last(in: connection) == run && connection.problems(.quick).isEmpty
    } catch let error as SQLiteError {
      // The store is made again then.
      guard error.isDamage else { throw Failure(error, what: resuming, subject: path) }
      return false
    } catch let error as SystemError {
      throw Failure(error, what: resuming, subject: path)
    }
  }

  private static let resuming = "cannot continue the new store"

  private func isThere() throws -> Bool {
    do {
      return try FileEntry.at(path) != nil
    } catch {
      throw Failure(error, what: Self.resuming, subject: path)
    }
  }

  /// A connection to a sound file that has all its tables.
  private func open() throws -> Connection? {
    do {
      // The base of an overlay is synced with its log: after a power cut it may be gone.
      if Overlay.isOne(path), try !Overlay.hasBase(path) { return nil }
      let connection = try Connection(path: path, mode: .own(create: false))
      let tables = try Schema(of: connection)
      guard BuilderTables.all.allSatisfy({ tables.table($0) != nil }),
        try connection.problems(.quick).isEmpty
      else {
        try connection.close()
        return nil
      }
      return connection
    } catch let error as SystemError {
      throw Failure(error, what: Self.resuming, subject: path)
    } catch let error as SQLiteError {
      guard error.isDamage else { throw Failure(error, what: Self.resuming, subject: path) }
      return nil
    }
  }
}

extension SQLiteError {
  /// Whether the file is no sound database; the note of an overlay that was cut off is none.
  fileprivate var isDamage: Bool {
    isCorrupt || [.empty, .truncated, .notADatabase].contains(refusal)
  }
}
