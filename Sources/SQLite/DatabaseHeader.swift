/// The first 100 bytes of a database file.
///
/// Offsets are those of SQLite's Database File Format, section 1.3.
package struct DatabaseHeader: Equatable, Sendable {
  package static let length = 100
  private static let magic = Array("SQLite format 3\0".utf8)

  /// The size of a page in bytes (offset 16; "the value 1 representing a page size of 65536").
  package let pageSize: Int
  /// The file change counter (offset 24).
  package let changeCounter: UInt32
  /// The size of the database in pages (offset 28), when it can be believed.
  ///
  /// "The in-header database size is only considered to be valid if it is non-zero and if the
  /// 4-byte change counter at offset 24 exactly matches the 4-byte version-valid-for number at
  /// offset 92."
  package let pageCount: Int?
  /// Whether the file is in WAL mode (offset 18, the write version: "1 for legacy; 2 for WAL").
  package let isWAL: Bool
  /// Whether pages and texts lie in the file as in one that is made here.
  ///
  /// That is: no "unused reserved space at the end of each page" (offset 20), schema format 4 (44),
  /// no "suggested cache size" (48), "a value of 1 means UTF-8" (56), and incremental vacuum:
  /// "non-zero" at 52, "true" at 64.
  package let isUsual: Bool

  /// A header, unless the bytes are not the beginning of a database that SQLite can read.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.length, bytes.starts(with: Self.magic) else { return nil }
    let size = Int(bytes[16]) << 8 | Int(bytes[17])
    pageSize = size == 1 ? 65_536 : size
    guard (512...65_536).contains(pageSize), pageSize & (pageSize - 1) == 0 else { return nil }
    changeCounter = bytes.bigEndian32(at: 24)
    let pages = bytes.bigEndian32(at: 28)
    pageCount = pages != 0 && bytes.bigEndian32(at: 92) == changeCounter ? Int(pages) : nil
    isWAL = bytes[18] == 2
    isUsual =
      bytes[20] == 0 && bytes.bigEndian32(at: 44) == 4 && bytes.bigEndian32(at: 48) == 0
      && bytes.bigEndian32(at: 56) == 1 && bytes.bigEndian32(at: 52) != 0
      && bytes.bigEndian32(at: 64) != 0
  }

  /// Makes bytes from a place of a file on those of one in rollback mode: with 2 at 18 and 19, "1
  /// for legacy; 2 for WAL", SQLite would look for a log by itself.
  static func hideWAL(in bytes: UnsafeMutableRawBufferPointer, at place: Int64) {
    for offset in 18...19 {
      let index = offset - Int(clamping: place)
      if bytes.indices.contains(index) { unsafe bytes[index] = 1 }
    }
  }

  /// Whether the bytes begin as a database does.
  package static func hasMagic(_ bytes: [UInt8]) -> Bool { bytes.starts(with: magic) }
}

extension [UInt8] {
  /// Four bytes as SQLite's formats write numbers: most significant first.
  func bigEndian32(at index: Int) -> UInt32 {
    self[index..<index + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
