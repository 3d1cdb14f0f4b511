import Foundation
import SQLite
import TestSupport
import Testing

@testable import SQLite

@Suite("Snapshots", .temporaryFolder) struct SnapshotTests {
  @Test(
    "there is no room for more pages than main file and log have", arguments: ["WAL", "DELETE"])
  func room(journal: String) throws {
    let store = try makeStore(file("a"), rows: 300, journal: journal)
    try fill(store, rows: 300)
    let snapshot = try Snapshot(store)
    defer { try? snapshot.end() }
    let (pageSize, pageCount) = try snapshot.extent()
    #expect(try snapshot.hasRoom(for: pageCount, pageSize: pageSize))
    let most = try Int(OpenFile.main(of: store).size()) / pageSize + snapshot.frames.pages.count
    #expect(try !snapshot.hasRoom(for: most + 2, pageSize: pageSize))
    #expect(try !snapshot.hasRoom(for: 0xffff_fff0, pageSize: pageSize))
  }

  @Test(
    "while another process writes, image and rows are of one moment", arguments: ["WAL", "DELETE"])
  func concurrentWriter(journal: String) async throws {
    try makeStore(file("a"), rows: 300, journal: journal).close()
    async let writer: Void = expectWriter(file("a"))
    let folder = TemporaryFolder.url
    // On a thread of its own: waiting for the writer may take up every thread that tasks have.
    let images = try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try Self.compareWhileWritten(in: folder) })
      }
    }
    await writer
    #expect(images.count == 20)
  }

  /// Takes snapshots until twenty were different, and compares image and backup of each.
  private static func compareWhileWritten(in folder: URL) throws -> Set<PageImage> {
    var mode = OpenMode.foreign
    mode.wait = .seconds(20)
    let store = try Connection(path: folder.appending(path: "a").path, mode: mode)
    var images: Set<PageImage> = []
    while images.count < 20, !exists(folder.appending(path: "done").path) {
      let snapshot = try Snapshot(store)
      let image = try PageImage(of: snapshot)
      // The copy reads in the snapshot's own transaction: what SQLite sees is what must be imaged.
      let path = folder.appending(path: "copy-\(UUID().uuidString)").path
      let copy = try Connection(path: path, mode: .own(create: true))
      try store.copy(to: copy, pagesPerStep: -1)
      let copied = try copy.pageImage()
      #expect(copied.sha256 == image.sha256)
      try snapshot.end()
      images.insert(image)
      // A moment without a reader, in which the writer can restart its log.
      usleep(5000)
    }
    try write([1], to: folder.appending(path: "stop").path)
    return images
  }

  /// A process that writes until it has to stop, with checkpoints and log restarts on its way.
  private func expectWriter(_ path: String) async {
    await #expect(processExitsWith: .exitCode(3)) { [path = path as String] in
      var mode = OpenMode.own(create: false)
      mode.wait = .seconds(20)
      mode.durability = .off
      let store = try Connection(path: path, mode: mode)
      try store.execute("PRAGMA wal_autocheckpoint = 20")
      let folder = URL(filePath: path).deletingLastPathComponent()
      for round in 0..<100_000 {
        try store.run("UPDATE t SET v = ?1 WHERE k % 7 = ?1 % 7", [.integer(Int64(round))])
        // Without a breath there is never a moment between two commits to begin a snapshot in.
        usleep(1000)
        if exists(folder.appending(path: "stop").path) { break }
      }
      try write([1], to: folder.appending(path: "done").path)
      exit(3)
    }
  }

  @Test("a log restarted under a snapshot does not change what it sees")
  func logBegunAnew() async throws {
    let store = try makeStore(file("a"), rows: 300, journal: "WAL")
    // With the whole log copied, a reader needs it no more, and the next writer restarts it.
    try store.execute("PRAGMA wal_checkpoint(PASSIVE)")
    let before = try store.pageImage()
    let salts = try Stamp(of: store).walSalts
    let snapshot = try Snapshot(store)
    await #expect(processExitsWith: .success) { [path = file("a") as String] in
      let other = try Connection(path: path, mode: .own(create: false))
      try other.run("UPDATE t SET v = 1", [])
    }
    try #require(Stamp(of: store).walSalts != salts)
    #expect(try PageImage(of: snapshot) == before)
    #expect(try store.integer("SELECT count(*) FROM t WHERE v = 1") == 0)
    try snapshot.end()
    #expect(try store.pageImage() != before)
  }

  @Test("the transaction stays open, and sees the same, until the snapshot ends")
  func staysOpen() throws {
    let store = try makeStore(file("a"), journal: "WAL")
    let snapshot = try Snapshot(store)
    #expect(store.transactionState() == .read)
    #expect(try PageImage(of: snapshot) == PageImage(of: snapshot))
    try snapshot.end()
    #expect(!store.isInTransaction)
    try snapshot.end()
  }

  @Test("a snapshot that goes ends its transaction, but never somebody else's")
  func released() throws {
    let store = try makeStore(file("a"), journal: "WAL")
    do { _ = try Snapshot(store) }
    #expect(!store.isInTransaction)
    try store.execute("BEGIN IMMEDIATE")
    do { _ = try Snapshot(store) }
    #expect(store.isInTransaction)
    try store.execute("ROLLBACK")
    do {
      let ended = try Snapshot(store)
      try ended.end()
      try store.execute("BEGIN")
    }
    #expect(store.isInTransaction)
  }

  @Test("a read transaction of unknown age in WAL mode has no snapshot")
  func unknownAge() throws {
    let store = try makeStore(file("a"), journal: "WAL")
    try store.execute("BEGIN; SELECT count(*) FROM t")
    #expect(sqliteError { _ = try Snapshot(store) }?.isMisuse == true)
    #expect(store.isInTransaction)
  }
}
