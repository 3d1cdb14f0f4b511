internal import CSQLite
internal import OperatingSystem

// A page that is written in each commit is in the log of an overlay each time: rows with values in
// no order, that an index has, make it many times as long as the database. Then what the log has is
// written once, as a layer of its own, and the log starts over on top of that:
//
//     source.sqlite            the base
//     next.sqlite-layer-1      a note that names the base
//     next.sqlite-layer-1-wal  the pages that had changed, in a log of one commit
//     next.sqlite              the note, which names the layer from now on
//     next.sqlite-wal          the pages that have changed since
//
// At each moment the content is the same. Layer and log are synced before the note names the layer:
// until the log is emptied it has all that the layer has, and less of it, which a power cut would
// leave of one that is not synced, would put old pages on top of new ones. It is synced again when
// it is empty.

extension Overlay {
  /// What the names of the layers of an overlay end with, behind its own: one is there, and a
  /// second one while it is made.
  package static let layerSuffixes = ["-layer-1", "-layer-2"]

  /// The base of an overlay, and its layer between the two.
  static func ground(at path: String) throws(SystemError) -> (base: String, layer: String?)? {
    guard let first = try base(at: path) else { return nil }
    guard layerSuffixes.contains(where: { first == path + $0 }), let base = try base(at: first)
    else { return (first, nil) }
    return (base, first)
  }

  /// Writes what an overlay and its layer have as a new layer, and has the overlay begin with that.
  ///
  /// - Returns: The old layer, which is of no more use once the log is empty.
  fileprivate static func addLayer(
    to path: String, _ log: WriteAheadLog, of file: StillFile
  ) throws -> String? {
    guard let (base, old) = try ground(at: path) else { return nil }
    let new = path + layerSuffixes[old == path + layerSuffixes[0] ? 1 : 0]
    try removeLayer(new)
    let below = try old.map { try StillFile($0 + "-wal") }
    let known = try below.map { (file: $0, log: try WriteAheadLog($0)) }
    do {
      try LayerFile(path: new + "-wal", pageSize: log.pageSize).write(
        [known, (file, log)].compactMap(\.self), pageCount: log.pageCount)
      try make(at: new, on: base)
      try FileSystem.sync(new)
      try FileSystem.sync(folderOf: path)
    } catch {
      // It may be that it did not fit on the disk.
      try? removeLayer(new)
      throw error
    }
    do {
      try syncLog(file.path)
      try FileMoves.write(note(of: new), to: path)
    } catch {
      // The note may name it all the same, where its folder could not be synced.
      if let named = try? Overlay.base(at: path), named != new { try? removeLayer(new) }
      throw error
    }
    return old
  }

  /// What is in a log that cannot be synced is unknown: a full disk is no excuse for that.
  private static func syncLog(_ path: String) throws(SQLiteError) {
    do throws(SystemError) {
      try FileSystem.sync(path)
    } catch {
      if error.isOutOfFiles { throw .system(error, path: path) }
      throw SQLiteError(SQLITE_IOERR, error.message, path: path)
    }
  }

  fileprivate static func removeLayer(_ path: String) throws(SystemError) {
    // Without the note the log belongs to nothing.
    for file in [path, path + "-wal"] { try FileMoves.remove(file) }
  }
}

/// A log that is written at once: each page has one frame, and the last is a commit.
private struct LayerFile {
  let path: String
  let pageSize: Int

  /// Writes the pages of logs, of which a later one counts more, in the order of their numbers.
  func write(
    _ logs: [(file: StillFile, log: WriteAheadLog)], pageCount: UInt32
  ) throws {
    var places: [UInt32: Int] = [:]
    for (place, known) in logs.enumerated() {
      for page in known.log.frames.keys where page <= pageCount { places[page] = place }
    }
    let pages = places.keys.sorted()
    let target = try OpenDescriptor(creating: path)
    var checksum = WALChecksum(isBigEndian: false)
    // "0x377f0682", little-endian checksums; "file format version. Currently 3007000".
    var header = [0x377f_0682, 3_007_000, UInt32(pageSize), 0].flatMap(\.bigEndianBytes)
    // "Salt-1: random integer incremented with each checkpoint. Salt-2: a different random number."
    let salts = (0..<8).map { _ in UInt8.random(in: .min ... .max) }
    header += salts
    checksum.add(header[...])
    try target.write((header + checksum.bytes)[...])
    var bytes: [UInt8] = []
    for (number, page) in pages.enumerated() {
      guard let place = places[page], let frame = logs[place].log.frames[page] else { continue }
      let (file, log) = logs[place]
      // "For commit records, the size of the database file in pages after the commit. For all other
      // records, zero."
      let size = number == pages.count - 1 ? pageCount : 0
      let start = page.bigEndianBytes + size.bigEndianBytes
      guard let content = try file.bytes(pageSize, at: log.offset(ofFrame: frame)) else {
        throw SQLiteError(SQLITE_CORRUPT, "the log was cut off", path: file.path)
      }
      checksum.add(start[...])
      checksum.add(content[...])
      bytes += start + salts + checksum.bytes + content
      if bytes.count >= Self.most || number == pages.count - 1 {
        try target.write(bytes[...])
        bytes.removeAll(keepingCapacity: true)
      }
    }
    try target.sync()
  }

  /// As many bytes are written at once, about.
  private static let most = 57_344
}

extension SQLiteError {
  /// Whether the disk has no room, or no more files can be opened.
  fileprivate var isShortage: Bool { isFull || isCannotOpen && refusal == nil }
}

extension UInt32 {
  /// Its bytes, the most significant one first.
  var bigEndianBytes: [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> UInt32($0)) }
  }
}

extension Connection {
  /// Has the log of this overlay start over when it is longer than `most` bytes, and has pages
  /// twice, on average.
  ///
  /// "The callback is invoked by SQLite after the commit has taken place and the associated
  /// write-lock on the database released, so the implementation may read, write or checkpoint the
  /// database as required" (sqlite3_wal_hook).
  func keepLogShort(_ most: Int) {
    guard let overlay else { return }
    #if FAULTS
    let most = FileFaults.longestLog ?? most
    #endif
    let frames = UInt32(clamping: most / (overlay.pageSize + WriteAheadLog.frameHeaderLength))
    logLimit = (frames, frames)
    // Unretained: SQLite calls it while a statement of this connection runs.
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe _ = sqlite3_wal_hook(
      handleIfOpen,
      { context, _, name, frames in
        guard let context = unsafe context, let name = unsafe name,
          unsafe String(cString: name) == "main"
        else { return SQLITE_OK }
        return unsafe Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
          .keepLogShort(frames: UInt32(clamping: frames))
      }, context)
  }

  /// Looks at the log, once it is long enough.
  ///
  /// Where the disk has no room for a layer, or no more files can be opened, the log grows on, and
  /// is looked at again when it has doubled. Any other error is reported: "that error will
  /// propagate back up through the SQLite code base to cause the statement that provoked the
  /// callback to report an error, though the commit will have still occurred" (sqlite3_wal_hook).
  private func keepLogShort(frames: UInt32) -> Int32 {
    logTrouble = nil
    guard let limit = logLimit, frames >= limit.next else { return SQLITE_OK }
    logLimit = (limit.least, UInt32(clamping: 2 * Int64(frames)))
    do {
      let next = try shortenLog(frames: frames, least: limit.least)
      logLimit = next.map { (limit.least, $0) } ?? logLimit
      return SQLITE_OK
    } catch {
      logTrouble = reported(error)
      return SQLITE_IOERR
    }
  }

  private func reported(_ error: any Error) -> SQLiteError? {
    (error as? SystemError).map { SQLiteError.system($0, path: path) } ?? error as? SQLiteError
  }

  /// Why a statement has failed: SQLite has no words for what a callback meets.
  func reason(for error: SQLiteError) -> SQLiteError {
    defer { logTrouble = nil }
    return logTrouble ?? error
  }

  /// - Returns: How long the log may grow until it is looked at again; nil for twice as long.
  private func shortenLog(frames: UInt32, least: UInt32) throws -> UInt32? {
    // What reads this database on this connection has pages of the log in use.
    guard transactionState() == .none else { return frames + least / 8 }
    guard let overlay, Overlay.canBeBase(path) else { return nil }
    let (pages, old): (UInt32, String?)
    do {
      let file = try StillFile(path + "-wal")
      let log = try WriteAheadLog(file)
      guard log.committedFrames == frames else { return nil }
      pages = UInt32(clamping: log.frames.count)
      guard frames / 2 >= pages else { return max(2 * pages, frames + least / 8) }
      old = try Overlay.addLayer(to: path, log, of: file)
      try overlay.startOver()
    } catch let error where reported(error)?.isShortage == true {
      // The log is whole, and has all that a new layer has, whichever layer the note names.
      return nil
    }
    defer { overlay.isEmptyingLog = false }
    // SQLite writes what the log has into the main file, where it is already, and empties the log.
    let code = unsafe sqlite3_wal_checkpoint_v2(
      try handle(), "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteError(code, "the log stays", path: path) }
    try FileSystem.sync(path + "-wal")
    if let old { try Overlay.removeLayer(old) }
    return max(least, pages)
  }
}
