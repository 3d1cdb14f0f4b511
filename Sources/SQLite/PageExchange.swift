internal import CSQLite
internal import OperatingSystem

/// Writes the pages of one database over those of another that differ, as one transaction.
///
/// SQLite can copy a database as a whole (Online Backup); it journals and writes every page then.
/// Here the pages that differ are written, and SQLite's own rollback journal is made for them,
/// in its documented format: who opens the database after a crash rolls it back.
///
/// > The rollback journal header: 8 bytes magic; the "page count", the number of pages in the next
/// > segment of the journal; a random nonce for the checksum; the initial size of the database in
/// > pages; the size of a disk sector assumed by the process that wrote this journal; the size of
/// > pages in this journal. Each page record: the page number in the database file; original
/// > content of the page prior to the start of the transaction; checksum. (Database File Format, 3:
/// > The Rollback Journal)
///
/// The order is that of SQLite's Atomic Commit: the journal is written and synced, then its header,
/// then its folder, then the pages are written and synced, and then "the rollback journal is
/// deleted ... this is the instant where the transaction commits".
package struct PageExchange {
  private let file: OpenFile
  private let snapshot: Snapshot
  private let pageSize: Int
  private let newCount: Int
  private let oldCount: Int
  private let old: [UInt8]
  /// Whether the store is in WAL mode, without a log, and stays so.
  private let keepsWAL: Bool
  /// Which pages of the store are written; page 1 has the first bit.
  private var differs: [Bool]

  /// Pages are read and written in runs of so many bytes: a page is never longer, and SQLite's own
  /// way takes less than 128 KiB at a time (os_unix.c, seekAndWriteFd).
  private static let run = 1 << 16
  private static let sector = 512

  /// Prepares to write; nil where pages cannot be written one by one.
  ///
  /// The store's connection is in rollback mode, or takes the store for that, with the exclusive
  /// lock.
  package init?(of store: Connection, for staged: Connection) throws(SQLiteError) {
    file = try OpenFile.main(of: store)
    keepsWAL = store.hidesWAL
    snapshot = try Snapshot(staged)
    let (size, count) = try snapshot.extent()
    let length = try file.size()
    old = try file.bytes(DatabaseHeader.length, at: 0) ?? []
    guard file.canHoldLock, DatabaseHeader(old)?.pageSize == size, length % Int64(size) == 0
    else { return nil }
    (pageSize, newCount, oldCount) = (size, count, Int(length / Int64(size)))
    differs = Array(repeating: false, count: max(count, Int(length / Int64(size))))
  }

  /// Writes the pages, and cuts off those that the new content does not have; the journal is
  /// synced.
  package func writePages() throws(SQLiteError) {
    var page = 1
    while page <= newCount {
      guard differs[page - 1] else {
        page += 1
        continue
      }
      var last = page
      while last < newCount, differs[last], (last - page + 2) * pageSize <= Self.run { last += 1 }
      try file.write(newPages(from: page, last - page + 1)[...], at: place(of: page))
      page = last + 1
    }
    if newCount < oldCount { try file.truncate(to: place(of: newCount + 1)) }
    try file.sync()
  }

  private func place(of page: Int) -> Int64 { Int64(page - 1) * Int64(pageSize) }
}

// The journal.
extension PageExchange {
  private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]

  /// Writes what the pages that differ are now, and finds them on the way.
  ///
  /// The header comes last, when the records are on the disk: "a journal that begins with a zero
  /// byte" is none (pager.c, hasHotJournal), and the check sums cover only each 200th byte of a
  /// page. `adorn` gives the new file the store's permissions, so that the processes of other users
  /// can roll it back.
  package mutating func writeJournal(_ path: String, adorn: (String) throws -> Void) throws {
    let nonce = UInt32.random(in: .min ... .max)
    let journal = try OpenDescriptor(creating: path)
    try adorn(path)
    let last = max(oldCount, newCount)
    var (count, end, page) = (UInt32(0), Int64(Self.sector), 1)
    while page <= last {
      let most = min(Self.run / pageSize, last - page + 1)
      let (before, after) = try (oldPages(from: page, most), newPages(from: page, most))
      var records: [UInt8] = []
      for index in 0..<most where page + index != lockPage {
        let range = index * pageSize..<(index + 1) * pageSize
        guard page + index == 1 || !before.isSame(as: after, in: range) else { continue }
        differs[page + index - 1] = true
        guard range.upperBound <= before.count else { continue }
        records += Self.bigEndian(UInt32(page + index)) + before[range]
        records += Self.bigEndian(Self.checksum(before[range], nonce))
        count += 1
      }
      try journal.write(records[...], at: end)
      (end, page) = (end + Int64(records.count), page + most)
    }
    // "The flushing of the rollback journal is actually two separate flush operations. The first
    // flush writes out the base rollback journal content. Then the header of the rollback journal
    // is modified to show the number of pages in the rollback journal. Then the header is flushed
    // to disk" (SQLite, Atomic Commit, 3.7).
    try journal.sync()
    let numbers = [count, nonce, UInt32(oldCount), UInt32(Self.sector), UInt32(pageSize)]
    let header = Self.magic + numbers.flatMap(Self.bigEndian)
    try journal.write(header[...], at: 0)
    try journal.sync()
    try FileSystem.sync(folderOf: path)
  }

  /// "The checksum is computed by: initialize the checksum to the checksum nonce value found in the
  /// journal header at offset 12; X = N - 200 (where N is the size of a database page in bytes);
  /// interpret the byte at offset X into the page as an 8-bit unsigned integer and add the value of
  /// that integer to the checksum; subtract 200 from X; if X is greater than or equal to zero loop"
  /// (Database File Format, 3).
  private static func checksum(_ page: ArraySlice<UInt8>, _ nonce: UInt32) -> UInt32 {
    stride(from: page.endIndex - 200, to: page.startIndex, by: -200)
      .reduce(nonce) { $0 &+ UInt32(page[$1]) }
  }

  private static func bigEndian(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}

// The pages.
extension PageExchange {
  /// Pages of the store as it is; fewer, or none, where it ends before.
  private func oldPages(from page: Int, _ count: Int) throws(SQLiteError) -> [UInt8] {
    let there = max(0, min(count, oldCount - page + 1))
    var bytes = try file.bytes(there * pageSize, at: place(of: page)) ?? []
    if page == 1 { setMode(&bytes) }
    return bytes
  }

  /// Sets bytes 18 and 19 of a header, "1 for legacy; 2 for WAL", to what they are in the file, and
  /// are to be.
  ///
  /// A file in WAL mode may have a rollback journal, as it has when SQLite leaves the mode: the
  /// next process that opens it rolls that back first, and then looks for a log (pager.c,
  /// sqlite3PagerSharedLock).
  private func setMode(_ header: inout [UInt8]) {
    for place in 18...19 where place < header.count { header[place] = keepsWAL ? 2 : 1 }
  }

  private func newPages(from page: Int, _ count: Int) throws(SQLiteError) -> [UInt8] {
    let there = max(0, min(count, newCount - page + 1))
    var bytes = [UInt8](repeating: 0, count: there * pageSize)
    var done = 0
    while done < there {
      let next = page + done
      guard next != lockPage else {
        done += 1
        continue
      }
      var run = snapshot.runLength(from: next, most: there - done)
      if next < lockPage { run = min(run, lockPage - next) }
      let range = done * pageSize..<(done + max(1, run)) * pageSize
      unsafe try bytes.fillBytes { (buffer) throws(SQLiteError) in
        let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[range])
        unsafe try snapshot.read(page: next, into: part, pageSize: pageSize)
      }
      done += max(1, run)
    }
    if page == 1, there > 0 {
      bytes.replaceSubrange(0..<DatabaseHeader.length, with: header(bytes))
    }
    return bytes
  }

  /// The header of the new content, as a commit of SQLite leaves it in this file.
  ///
  /// "The file change counter is incremented whenever the database file is unlocked after having
  /// been modified", so that others drop the pages that they remember; "the schema cookie is
  /// incremented whenever the database schema changes" and makes them prepare their statements
  /// again (Database File Format, 1.3).
  private func header(_ bytes: [UInt8]) -> [UInt8] {
    var header = Array(bytes.prefix(DatabaseHeader.length))
    let counter = old.bigEndian32(at: 24) &+ 1
    let cookie = max(old.bigEndian32(at: 40), header.bigEndian32(at: 40)) &+ 1
    for (place, number) in [
      (24, counter), (28, UInt32(newCount)), (40, cookie), (92, counter),
      (96, UInt32(SQLiteLibrary.versionNumber)),
    ] {
      header.replaceSubrange(place..<place + 4, with: Self.bigEndian(number))
    }
    setMode(&header)
    return header
  }

  private var lockPage: Int { PageImage.lockPage(pageSize) }
}

extension [UInt8] {
  /// Whether both have the same bytes: "==" looks at them one by one.
  func isSame(as other: [UInt8]) -> Bool {
    count == other.count && isSame(as: other, in: 0..<count)
  }

  /// Whether two runs of pages have the same bytes in a range; one that ends before has not.
  fileprivate func isSame(as other: [UInt8], in range: Range<Int>) -> Bool {
    guard range.upperBound <= count, range.upperBound <= other.count else { return false }
    return unsafe withUnsafeBytes { one in
      unsafe other.withUnsafeBytes { two in
        guard let one = one.baseAddress, let two = two.baseAddress else { return true }
        let start = range.lowerBound
        return unsafe csqlite_is_same(one + start, two + start, range.count)
      }
    }
  }
}

extension Connection {
  /// The exchange of this database's pages for another one's; nil where pages cannot be written one
  /// by one.
  package func exchange(for staged: Connection) throws(SQLiteError) -> PageExchange? {
    try PageExchange(of: self, for: staged)
  }

  /// Runs `body` while the exclusive lock stays and SQLite has no page in memory, so that `body`
  /// may write into the main file; when it fails, the connection is to be closed.
  ///
  /// - Throws: ``SQLiteError`` when the lock is not exclusive, or cannot be kept.
  package func withLockHeld(_ body: () throws -> Void) throws {
    let file = try OpenFile.main(of: self)
    var state: Int32 = 0
    let code = unsafe sqlite3_file_control(try handle(), "main", SQLITE_FCNTL_LOCKSTATE, &state)
    guard code == SQLITE_OK, state == SQLITE_LOCK_EXCLUSIVE, file.canHoldLock else {
      throw SQLiteError.misuse("the file is not locked, or not so that it can stay", path: path)
    }
    file.hold(true)
    defer { file.hold(false) }
    let read = "SELECT 1 FROM sqlite_master LIMIT 1"
    _ = try execute("PRAGMA main.locking_mode = NORMAL; \(read)")
    try body()
    // SQLite sees by the change counter that its pages are old, and has the lock for good again.
    try execute("PRAGMA main.locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; \(read); ROLLBACK")
  }
}
