internal import OperatingSystem

/// Refuses a database whose rollback journal names a super-journal that SQLite would delete.
///
/// A transaction over several files leaves in each file's journal the name of one more file:
///
/// > - 4 bytes: PAGER_MJ_PGNO.
/// > - N bytes: super-journal filename in utf-8.
/// > - 4 bytes: N (length of super-journal name in bytes, no nul-terminator).
/// > - 4 bytes: super-journal name checksum.
/// > - 8 bytes: aJournalMagic[].
/// >
/// > The super-journal page checksum is the sum of the bytes in the super-journal name, where each
/// > byte is interpreted as a signed 8-bit integer. (SQLite, pager.c, writeSuperJournal)
///
/// When SQLite rolls such a journal back it deletes the file of that name, wherever it is: so a
/// store with a crafted journal deletes any file the user can delete, by being opened. SQLite
/// itself makes names of one kind only, "the main file's path, then -mj, six hexadecimal digits,
/// a 9 and two more" (vdbeaux.c, vdbeCommit), in the folder of the transaction's main file. Only
/// such a name in the store's own folder passes. The journal's first byte is not looked at: a
/// journal put to rest by zeroing its header keeps its end, which counts again when the header
/// does.
enum HotJournal {
  private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
  /// Far longer than any path SQLite takes (512 bytes): a longer "name" is none.
  private static let longestName = 65_536

  /// Looks at the journal next to the database at `path`, an absolute path without links.
  static func check(besides path: String) throws(SQLiteError) {
    let journal = path + "-journal"
    let name = try asking(about: journal) { () throws(SystemError) in
      guard try FileEntry.at(journal) != nil else { return nil as [UInt8]? }
      return try superJournalName(in: OpenDescriptor(reading: journal))
    }
    guard let name, !isHarmless(name, for: path) else { return }
    throw .refused(
      .strangeSuperJournal,
      """
      the journal names a file that SQLite would delete: \(String(decoding: name, as: UTF8.self)); \
      take the store once more from a source you trust
      """,
      path: journal)
  }

  /// The name as SQLite would read it: up to a NUL, and only if its checksum is right.
  private static func superJournalName(
    in file: borrowing OpenDescriptor
  ) throws(SystemError) -> [UInt8]? {
    let size = try FileEntry.of(file).size
    guard size >= 16 else { return nil }
    let end = try file.read(16, at: size - 16)
    guard end.count == 16, Array(end[8...]) == magic else { return nil }
    let length = Int(end.bigEndian32(at: 0))
    guard length > 0, length <= longestName, Int64(length) <= size - 16 else { return nil }
    let bytes = try file.read(length, at: size - 16 - Int64(length))
    guard hasChecksum(end.bigEndian32(at: 4), bytes) else { return nil }
    let name = Array(bytes.prefix { $0 != 0 })
    return name.isEmpty ? nil : name
  }

  /// The bytes are `char`s, which C takes as signed on some machines and as unsigned on others.
  private static func hasChecksum(_ checksum: UInt32, _ bytes: [UInt8]) -> Bool {
    let signed = bytes.reduce(UInt32(0)) {
      $0 &+ UInt32(bitPattern: Int32(Int8(bitPattern: $1)))
    }
    let unsigned = bytes.reduce(UInt32(0)) { $0 &+ UInt32($1) }
    return checksum == signed || checksum == unsigned
  }

  /// Whether the name is one that SQLite makes, in the database's own folder.
  ///
  /// One that is not there is harmless too: its transaction is committed. All is compared by bytes:
  /// to a `String`, "/" and an accent are one character, and two spellings of a folder the same.
  private static func isHarmless(_ name: [UInt8], for path: String) -> Bool {
    guard name.first == UInt8(ascii: "/"), hasSuperJournalEnding(name),
      let text = String(validating: name, as: UTF8.self),
      let folder = String(validating: parent(of: name), as: UTF8.self),
      let resolved = try? FileSystem.realPath(folder),
      Array(resolved.utf8) == parent(of: Array(path.utf8))
    else { return false }
    do {
      return try FileEntry.at(text)?.isRegular ?? true
    } catch {
      return false
    }
  }

  private static func hasSuperJournalEnding(_ bytes: [UInt8]) -> Bool {
    let ending = bytes.suffix(12)
    guard ending.count == 12, ending.starts(with: "-mj".utf8) else { return false }
    let digits = Array(ending.dropFirst(3))
    return digits.allSatisfy("0123456789ABCDEF".utf8.contains) && digits[6] == UInt8(ascii: "9")
  }

  private static func parent(of path: [UInt8]) -> [UInt8] {
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")), slash > 0 else {
      return [UInt8(ascii: "/")]
    }
    return Array(path[..<slash])
  }
}
