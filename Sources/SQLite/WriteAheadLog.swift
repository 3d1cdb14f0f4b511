/// The committed frames of a -wal file, parsed as SQLite's recovery would.
///
/// Offsets and rules are those of SQLite's Database File Format, section 4 ("The Write-Ahead Log").
struct WriteAheadLog: Sendable {
  /// The 32 bytes a WAL begins with.
  static let headerLength = 32
  /// The bytes before a page's data ("a 24-byte frame-header followed by page-size bytes").
  static let frameHeaderLength = 24

  /// The header as it is on disk: salts and all.
  private(set) var header: [UInt8] = []
  /// The size of a page; 0 in an empty log.
  private(set) var pageSize = 0
  /// The last committed frame of each page.
  private(set) var frames: [UInt32: UInt32] = [:]
  /// How many frames there are up to the last commit.
  private(set) var committedFrames: UInt32 = 0
  /// The size of the database in pages after the last commit.
  private(set) var pageCount: UInt32 = 0
  /// That of all frames up to the last commit.
  private var checksum = WALChecksum(isBigEndian: false)

  /// Reads the log from its beginning, to its last commit or to the frame `limit`.
  init(_ file: some ReadableFile, upTo limit: UInt32 = .max) throws(SQLiteError) {
    guard let header = try file.bytes(Self.headerLength, at: 0), accept(header) else { return }
    try readCommits(from: file, upTo: limit)
  }

  /// Reads on from the last commit, where the log is the same; it must not have been written over.
  func continued(_ file: some ReadableFile) throws(SQLiteError) -> Self? {
    guard committedFrames > 0, try hasSameHeader(file) else { return nil }
    var longer = self
    try longer.readCommits(from: file, upTo: .max)
    return longer
  }

  /// Whether the log has not been restarted: "the salts are changed each time it is reset".
  func hasSameHeader(_ file: some ReadableFile) throws(SQLiteError) -> Bool {
    try (file.bytes(Self.headerLength, at: 0) ?? []) == header
  }

  /// Where a frame's page begins in the file.
  func offset(ofFrame frame: UInt32) -> Int64 {
    let length = Int64(Self.frameHeaderLength + pageSize)
    return Int64(Self.headerLength) + Int64(frame - 1) * length + Int64(Self.frameHeaderLength)
  }

  /// Takes a header over; one that SQLite would not believe makes the log an empty one.
  private mutating func accept(_ bytes: [UInt8]) -> Bool {
    header = bytes
    let magic = bytes.bigEndian32(at: 0)
    let size = Int(bytes.bigEndian32(at: 8))
    guard magic & 0xffff_fffe == 0x377f_0682, (512...65_536).contains(size),
      size & (size - 1) == 0
    else { return false }
    // "If the low bit is set, the checksums use big-endian words" (4.2, Checksum Algorithm).
    checksum = WALChecksum(isBigEndian: magic & 1 == 1)
    checksum.add(bytes[0..<24])
    guard checksum.equals(bytes, at: 24) else { return false }
    pageSize = size
    return true
  }

  /// As many bytes of frames are read at once, at most: malloc tidies up when 64 KiB are freed.
  private static let most = 57_344

  /// Reads frames and keeps those that a commit completes.
  private mutating func readCommits(
    from file: some ReadableFile, upTo limit: UInt32
  ) throws(SQLiteError) {
    let length = Self.frameHeaderLength + pageSize
    var pending: [UInt32: UInt32] = [:]
    var number = committedFrames + 1
    var running = checksum
    var bytes: [UInt8] = []
    var count = 1
    while number <= limit {
      if bytes.count < count * length { bytes = [UInt8](repeating: 0, count: count * length) }
      let start = offset(ofFrame: number) - Int64(Self.frameHeaderLength)
      let isThere = unsafe try bytes.fillBytes { (buffer) throws(SQLiteError) in
        let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<(count * length)])
        return unsafe try file.fill(part, at: start)
      }
      guard isThere else {
        // Fewer are there, or none.
        if count == 1 { return }
        count /= 2
        continue
      }
      for frame in 0..<count where number <= limit {
        guard isValid(bytes, at: frame * length, &running) else { return }
        take(bytes, at: frame * length, number, &pending, running)
        number += 1
      }
      // More and more, so that a short log costs no more than what it has.
      count = min(2 * count, max(1, Self.most / length))
    }
  }

  /// Takes a frame over, and all that wait when it is the last of a commit.
  private mutating func take(
    _ bytes: [UInt8], at start: Int, _ number: UInt32, _ pending: inout [UInt32: UInt32],
    _ running: WALChecksum
  ) {
    pending[bytes.bigEndian32(at: start)] = number
    let size = bytes.bigEndian32(at: start + 4)
    guard size != 0 else { return }
    frames.merge(pending) { $1 }
    pending.removeAll(keepingCapacity: true)
    (committedFrames, pageCount, checksum) = (number, size, running)
  }

  /// "A frame is considered valid if and only if the salt-1 and salt-2 values in the frame-header
  /// match those in the wal-header, and the checksum values match" those of all before.
  private func isValid(
    _ bytes: [UInt8], at start: Int, _ checksum: inout WALChecksum
  ) -> Bool {
    guard bytes[start + 8..<start + 16] == header[16..<24], bytes.bigEndian32(at: start) != 0
    else { return false }
    checksum.add(bytes[start..<start + 8])
    let page = start + Self.frameHeaderLength
    checksum.add(bytes[page..<page + pageSize])
    return checksum.equals(bytes, at: start + 16)
  }
}

// Reading pages whose frames lie one after the other.
extension WriteAheadLog {
  /// How many pages from `page` on, at most `most`, have frames that lie one after the other.
  func runLength(from page: UInt32, most: Int) -> Int {
    guard let first = frames[page] else { return 0 }
    var length: UInt32 = 1
    while Int(length) < most, frames[page &+ length] == first &+ length { length += 1 }
    return Int(length)
  }

  /// Fills the buffer with the pages of frames that lie one after the other, from a byte of the
  /// first; false when the file ends before that.
  func fill(
    _ buffer: UnsafeMutableRawBufferPointer, fromFrame frame: UInt32, _ inPage: Int = 0,
    of file: some ReadableFile
  ) throws(SQLiteError) -> Bool {
    let (first, length) = (offset(ofFrame: frame) + Int64(inPage), pageSize - inPage)
    guard buffer.count > length else { return unsafe try file.fill(buffer, at: first) }
    var filled = 0
    // The headers between the pages are read with them.
    let headers = (buffer.count - length + pageSize - 1) / pageSize * Self.frameHeaderLength
    guard let bytes = try file.bytes(buffer.count + headers, at: first) else { return false }
    var place = 0
    while filled < buffer.count {
      let count = min(filled == 0 ? length : pageSize, buffer.count - filled)
      let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<(filled + count)])
      unsafe part.copyBytes(from: bytes[place..<(place + count)])
      (filled, place) = (filled + count, place + count + Self.frameHeaderLength)
    }
    return true
  }
}

/// The checksum of a WAL: cumulative over its header and all its frames.
///
/// > for i from 0 to n-1 step 2: s0 += x(i) + s1; s1 += x(i+1) + s0; endfor
struct WALChecksum: Sendable {
  private let isBigEndian: Bool
  private var first: UInt32 = 0
  private var second: UInt32 = 0

  init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  /// Adds bytes, a multiple of eight.
  mutating func add(_ bytes: ArraySlice<UInt8>) {
    var (one, two) = (first, second)
    unsafe bytes.withUnsafeBytes { buffer in
      var offset = 0
      while offset + 8 <= buffer.count {
        let left = unsafe buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        let right = unsafe buffer.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
        one &+= word(left) &+ two
        two &+= word(right) &+ one
        offset += 8
      }
    }
    (first, second) = (one, two)
  }

  /// Whether it is the one stored at `index`: always most significant byte first.
  func equals(_ bytes: [UInt8], at index: Int) -> Bool {
    first == bytes.bigEndian32(at: index) && second == bytes.bigEndian32(at: index + 4)
  }

  /// As a log stores it: always most significant byte first.
  var bytes: [UInt8] { [first, second].flatMap(\.bigEndianBytes) }

  private func word(_ raw: UInt32) -> UInt32 {
    isBigEndian ? UInt32(bigEndian: raw) : UInt32(littleEndian: raw)
  }
}
