/// What the WAL-index says of the log: which frames readers see.
///
/// Offsets are those of SQLite's WAL-mode File Format, section 2.1; numbers are in the machine's
/// own byte order.
struct LogIndex: Equatable, Sendable {
  private static let version: UInt32 = 3_007_000
  private let header: [UInt8]

  /// The index as it is; nil while somebody is writing it.
  init?(_ main: OpenFile) throws(SQLiteError) {
    guard let header = try main.logIndexHeader() else { return nil }
    self.header = header
    guard number(at: 0) == Self.version else { return nil }
  }

  /// "Number of valid and committed frames in the WAL file" (offset 16).
  var committedFrames: UInt32 { number(at: 16) }

  /// "Two random 32-bit values copied from the WAL file header" (offset 32).
  var salts: ArraySlice<UInt8> { header[32..<40] }

  private func number(at index: Int) -> UInt32 {
    let value = header.bigEndian32(at: index)
    return UInt32(littleEndian: 1) == 1 ? value.byteSwapped : value
  }
}
