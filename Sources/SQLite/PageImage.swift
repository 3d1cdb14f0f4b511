internal import CSQLite
internal import Formats

/// Is given the pages done and the pages in all; false stops.
package typealias PageProgress = (_ done: Int, _ total: Int) -> Bool

/// Is given pages as they are, those from an offset in the file; false stops.
package typealias PageSink = (_ offset: Int64, _ pages: ArraySlice<UInt8>) -> Bool

/// The identity of a database's content: the digest of all its pages as a snapshot sees them.
///
/// It is the same before and after a checkpoint, a change of journal mode, or a copy by the backup
/// API, and differs when a page does.
package struct PageImage: Hashable, Codable, Sendable {
  /// The SHA-256 of all pages in order.
  package let sha256: [UInt8]
  package let pageSize: Int
  /// How many there are.
  package let pageCount: Int

  /// Bytes of page 1 that a copy does not keep, taken as zero.
  ///
  /// The read and write versions (18, 19: the journal mode), the change counter (24 to 27), the
  /// page count (28 to 31: SQLite before 3.7.0 left it 0 and a copy fills it in; the image has the
  /// count next to the digest), the schema cookie (40 to 43: the backup API counts it up), the
  /// version-valid-for number and the writer's SQLite version (92 to 99).
  static let masked: [Range<Int>] = [18..<20, 24..<32, 40..<44, 92..<100]

  /// An image from its parts, as a record has them.
  package init(sha256: [UInt8], pageSize: Int, pageCount: Int) {
    self.sha256 = sha256
    self.pageSize = pageSize
    self.pageCount = pageCount
  }

  /// Reads all pages of a snapshot, 256 KiB of them at a time; those of a small database 56 KiB at
  /// a time, since malloc tidies up all that it has when 64 KiB are freed.
  ///
  /// `sink` is given them on the way, in their order; when the log is restarted meanwhile, once
  /// more from the first.
  package init(
    of snapshot: Snapshot, progress: PageProgress = { _, _ in true },
    copyingTo sink: PageSink = { _, _ in true }
  ) throws(SQLiteError) {
    let first = Result { () throws(SQLiteError) in try Self.read(snapshot, progress, sink) }
    // What was read, or failed to be, may have come from a log that is another one by now.
    self = try snapshot.leaveRestartedLog() ? Self.read(snapshot, progress, sink) : first.get()
  }

  fileprivate static func read(
    _ snapshot: Snapshot, _ progress: PageProgress, _ sink: PageSink, isDigested: Bool = true
  ) throws(SQLiteError) -> PageImage {
    let (size, count) = try snapshot.extent()
    let digest = isDigested ? BackgroundDigest(ofBytes: size * count) : nil
    let most = count > 4 * (262_144 / size) ? 262_144 : 57_344
    var buffer = [UInt8](repeating: 0, count: max(most, size))
    var page = 1
    while page <= count {
      let run = try read(from: page, to: count, pageSize: size, snapshot, &buffer)
      guard sink(Int64(page - 1) * Int64(size), buffer[0..<run * size]) else {
        throw .forCode(SQLITE_ABORT, path: snapshot.connection.path)
      }
      if let digest {
        if page == 1 { mask(&buffer) }
        digest.add(&buffer, first: run * size)
      }
      page += run
      guard progress(page - 1, count) else {
        throw .forCode(SQLITE_INTERRUPT, path: snapshot.connection.path)
      }
    }
    return PageImage(sha256: digest?.finish() ?? [], pageSize: size, pageCount: count)
  }

  private static func mask(_ buffer: inout [UInt8]) {
    for range in masked { for index in range { buffer[index] = 0 } }
  }

  /// Reads as many pages as lie together; gives back how many.
  private static func read(
    from page: Int, to last: Int, pageSize: Int, _ snapshot: Snapshot, _ buffer: inout [UInt8]
  ) throws(SQLiteError) -> Int {
    let locked = lockPage(pageSize)
    var most = min(buffer.count / pageSize, last - page + 1)
    if page < locked { most = min(most, locked - page) }
    let run = page == locked ? 1 : max(1, snapshot.runLength(from: page, most: most))
    unsafe try buffer.fillBytes { (bytes) throws(SQLiteError) in
      let target = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[0..<run * pageSize])
      if page == locked {
        _ = unsafe target.initializeMemory(as: UInt8.self, repeating: 0)
      } else {
        unsafe try snapshot.read(page: page, into: target, pageSize: pageSize)
      }
    }
    return run
  }

  /// "The lock-byte page is the single page that contains the bytes between offsets 1073741824 and
  /// 1073742335" (Database File Format, 1.2): SQLite never writes it, nor does a backup copy it.
  static func lockPage(_ pageSize: Int) -> Int { 1_073_741_824 / pageSize + 1 }
}

extension PageImage {
  /// Whether pages of two databases, those from the same offset on, are the same but for what an
  /// image leaves out.
  package static func areSame(
    _ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>, at offset: Int64
  ) -> Bool {
    guard one.count == other.count else { return false }
    let header = offset == 0 ? min(DatabaseHeader.length, one.count) : 0
    let isHeaderSame = (0..<header).allSatisfy { place in
      one[one.startIndex + place] == other[other.startIndex + place]
        || masked.contains { $0.contains(place) }
    }
    return isHeaderSame && areSame(one.dropFirst(header), other.dropFirst(header))
  }

  private static func areSame(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
    unsafe one.withUnsafeBytes { one in
      unsafe other.withUnsafeBytes { two in
        guard let one = one.baseAddress, let start = two.baseAddress else { return true }
        return unsafe csqlite_is_same(one, start, two.count)
      }
    }
  }
}

extension Connection {
  /// The image of the main file as it is now, in a read transaction for this alone or in the write
  /// transaction that is open.
  package func pageImage(
    progress: PageProgress = { _, _ in true }
  ) throws(SQLiteError) -> PageImage {
    let snapshot = try Snapshot(self)
    let image = try PageImage(of: snapshot, progress: progress)
    try snapshot.end()
    return image
  }

  /// The same, with all pages given to a sink on the way; they are a database file of one moment.
  package func copyPages(
    to sink: PageSink, progress: PageProgress = { _, _ in true }
  ) throws(SQLiteError) -> PageImage {
    let snapshot = try Snapshot(self)
    let image = try PageImage(of: snapshot, progress: progress, copyingTo: sink)
    try snapshot.end()
    return image
  }
}

extension Connection {
  /// Gives all pages of a database that no process writes to a sink; they are not digested.
  package func givePages(to sink: PageSink) throws(SQLiteError) {
    let snapshot = try Snapshot(self)
    defer { try? snapshot.end() }
    _ = try PageImage.read(snapshot, { _, _ in true }, sink, isDigested: false)
  }
}
