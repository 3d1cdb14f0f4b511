package import CoreDataStore
internal import OperatingSystem
package import SQLite

/// The copy of the store that a run reads: one moment of it, which outlives the run's process.
package struct SourceSnapshot: Sendable, Hashable {
  /// What was copied.
  package let record: SourceRecord
  /// Whether a copy that was there already is being used.
  package let isReused: Bool

  static let what = "cannot copy the store"

  init(record: SourceRecord, isReused: Bool = false) {
    self.record = record
    self.isReused = isReused
  }

  /// Copies the store into the run's folder, or takes the copy of a killed run if it still counts.
  ///
  /// `recorded` is what the run's state says was copied; `wait` is for another process that writes.
  ///
  /// - Throws: ``Failure`` of kind `busy` when the store is locked, or has changed since the
  ///   recorded copy.
  package static func make(
    _ folder: WorkFolder, recorded: SourceRecord? = nil, wait: Duration = .seconds(5),
    progress: PageProgress = { _, _ in true }
  ) throws -> SourceSnapshot {
    try replacing(what, folder.store) {
      let stamp = try Stamp(ofFile: folder.store)
      if let recorded, try isWhole(folder, recorded.image, progress) {
        if stamp == recorded.stamp { return SourceSnapshot(record: recorded, isReused: true) }
        let image = try UnharmedReader.with(folder, wait) { try $0.pageImage(progress: progress) }
        guard image == recorded.image else { throw changed(folder) }
        var record = recorded
        record.stamp = stamp
        return SourceSnapshot(record: record, isReused: true)
      }
      let record = try copy(folder, stamp, wait, progress)
      if let recorded, record.image != recorded.image { throw changed(folder) }
      return SourceSnapshot(record: record)
    }
  }

  /// Whether the store is another than the recorded one; it is read as a clone, so that nothing
  /// next to it changes.
  package static func hasChanged(
    _ folder: WorkFolder, since record: SourceRecord, progress: PageProgress = { _, _ in true }
  ) throws -> Bool {
    let stamp = try replacing("cannot look at the store", folder.store) {
      try Stamp(ofFile: folder.store)
    }
    guard stamp != record.stamp else { return false }
    return try image(of: folder, progress: progress) != record.image
  }

  /// The content of the store, which is read as a clone.
  package static func image(
    of folder: WorkFolder, progress: PageProgress = { _, _ in true }
  ) throws -> PageImage {
    try replacing("cannot look at the store", folder.store) {
      let clone = try TemporaryClone(of: StoreFiles(folder.store))
      return try withExtendedLifetime(clone) {
        let connection = try Connection(path: clone.path, mode: .foreignWritable)
        defer { try? connection.close() }
        return try connection.pageImage(progress: progress)
      }
    }
  }

  /// The store is not what was copied.
  static func changed(_ folder: WorkFolder, _ work: RunState.Work = .run) -> Failure {
    // Of a retry that has not begun its exchange nothing is left to give up.
    let isRetry = work == .retry
    return Failure(
      .busy, what: isRetry ? "cannot retry the objects" : "cannot resume the \(work.rawValue)",
      subject: folder.store,
      why: "The store has changed since it was copied; it is as the other process left it.",
      remedy: "Quit the application that uses it. "
        + (isRetry ? "Give the same command again." : work.startingOver(folder)))
  }

  /// Whether the copy is there with the recorded content.
  static func isWhole(
    _ folder: WorkFolder, _ image: PageImage, _ progress: PageProgress = { _, _ in true }
  ) throws -> Bool {
    guard try FileEntry.at(folder.sourcePath) != nil,
      let copy = try? Connection(path: folder.sourcePath, mode: .foreign)
    else { return false }
    let found = try? copy.pageImage(progress: progress)
    try copy.close()
    return found == image
  }

  /// Copies the store, read where it is or as a clone, into the run's folder.
  static func copy(
    _ folder: WorkFolder, _ stamp: Stamp, _ wait: Duration, _ progress: PageProgress
  ) throws -> SourceRecord {
    for suffix in ["", "-wal", "-shm", "-journal"] {
      try FileMoves.remove(folder.sourcePath + suffix)
    }
    // It is not synced: who finds it later compares all of it with what the state says of it.
    let (image, journal) = try UnharmedReader.with(folder, wait) { source in
      // Not in WAL mode, whatever the store is in: those who read it would write next to it.
      let image = try PageFile.write(source, to: folder.sourcePath, progress: progress)
      return (image, source.file?.header.isWAL == true ? "wal" : "delete")
    }
    return SourceRecord(image: image, stamp: stamp, journal: journal)
  }
}

/// Opens the store to read it, or a clone of it where it cannot be read in place.
enum UnharmedReader {
  /// Whether the store cannot be read where it is.
  ///
  /// A -journal that a crash left has to be rolled back. "It is not possible to open read-only WAL
  /// databases" unless -shm and -wal are there or can be made (Write-Ahead Logging).
  static func needsClone(_ files: StoreFiles) throws -> Bool {
    if (files.journalBytes ?? 0) > 0 { return true }
    if files.isFolderWritable { return false }
    return try files.walBytes != nil || DatabaseFile.examine(files.path).header.isWAL
  }

  /// Runs `body` on a connection to the store's content, or to that of a clone.
  static func with<Result>(
    _ folder: WorkFolder, _ wait: Duration, _ body: (Connection) throws -> Result
  ) throws -> Result {
    let files = try StoreFiles(folder.store)
    // In WAL mode SQLite would make files next to it.
    let isWAL = try files.walBytes != nil || DatabaseFile.examine(files.path).header.isWAL
    if isWAL, let connection = try files.loaded() {
      defer { try? connection.close() }
      return try body(connection)
    }
    let clone = try needsClone(files) ? try TemporaryClone(of: files, in: folder.path) : nil
    var mode = clone == nil ? OpenMode.foreign : OpenMode.foreignWritable
    mode.wait = wait
    mode.durability = clone == nil ? .full : .off
    let connection = try Connection(path: clone?.path ?? files.path, mode: mode)
    defer { try? connection.close() }
    // The clone has to live until the connection is closed.
    return try withExtendedLifetime(clone) { try body(connection) }
  }
}

/// A file of all pages that a database has at one moment.
///
/// They are written as they are read, and digested on the way: the backup API would write them one
/// by one, to be read again for their image.
package enum PageFile {
  /// Copies a database that no process writes: as a file or, where it is an overlay, page by page.
  package static func copy(_ path: String, to target: String) throws {
    guard Overlay.isOne(path) else { return try FileSystem.clone(path, to: target) }
    let view = try Connection(path: path, mode: .foreign)
    defer { try? view.close() }
    var writer = try Writer(target, false)
    do {
      try view.givePages { writer.take($0, $1) }
    } catch {
      throw writer.failure.map { $0 as any Error } ?? error
    }
  }

  /// Writes a new file, which is in WAL mode or in rollback mode; gives back the image of what was
  /// read.
  static func write(
    _ source: Connection, to path: String, isWAL: Bool = false,
    progress: PageProgress = { _, _ in true }
  ) throws -> PageImage {
    var attempt = 1
    while true {
      var writer = try Writer(path, isWAL)
      do {
        return try source.copyPages(to: { writer.take($0, $1) }, progress: progress)
      } catch {
        if let failure = writer.failure { throw failure }
        guard writer.isBegunAnew, attempt < attempts else { throw error }
        attempt += 1
        try FileMoves.remove(path)
      }
    }
  }

  /// How often it starts over because the source's log was restarted.
  private static let attempts = 10

  /// Appends pages as long as they come in their order.
  private struct Writer: ~Copyable {
    private let file: OpenDescriptor
    private let version: UInt8
    private var length: Int64 = 0
    private(set) var failure: SystemError?
    /// Whether the pages come once more, from the first.
    private(set) var isBegunAnew = false

    /// Bytes 18 and 19 are "1 for legacy; 2 for WAL" (SQLite, Database File Format, 1.3).
    init(_ path: String, _ isWAL: Bool) throws(SystemError) {
      file = try OpenDescriptor(creating: path)
      version = isWAL ? 2 : 1
    }

    mutating func take(_ offset: Int64, _ pages: ArraySlice<UInt8>) -> Bool {
      guard offset == length else {
        isBegunAnew = true
        return false
      }
      do throws(SystemError) {
        var pages = pages
        if offset == 0 {
          for place in 18...19 { pages[pages.startIndex + place] = version }
        }
        try file.write(pages)
        length += Int64(pages.count)
        return true
      } catch {
        failure = error
        return false
      }
    }
  }
}
