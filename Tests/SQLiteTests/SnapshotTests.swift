import Foundation
import SQLite
import TestSupport
import Testing

@Suite("Snapshots", .temporaryFolder) struct SnapshotTests {
  @Test(
    "while another process writes, image and rows are of one moment", arguments: ["WAL", "DELETE"])
  func concurrentWriter(journal: String) async throws {
    try makeStore(file("a"), rows: 300, journal: journal).close()
    async let writer: Void = expectWriter(file("a"))
    var images: Set<PageImage> = []
    var copies = 0
    var mode = OpenMode.foreign
    mode.wait = .seconds(20)
    let store = try Connection(path: file("a"), mode: mode)
    while !exists(file("done")) {
      // Gives the task that waits for the writer a thread.
      try await Task.sleep(for: .milliseconds(1))
      let snapshot = try Snapshot(store)
      // The log may be begun anew while its pages are read: then the answer is "busy", not wrong.
      guard let image = try? PageImage(of: snapshot) else { continue }
      let path = file("copy-\(copies)")
      let target = try Connection(path: path, mode: .own(create: true))
      try store.copy(to: target, pagesPerStep: -1)
      #expect(try target.pageImage().sha256 == image.sha256)
      try snapshot.end()
      images.insert(image)
      copies += 1
      if copies == 20 { try write([1], to: file("stop")) }
    }
    await writer
    #expect(copies > 0 && images.count > 1)
  }

  /// A process that writes until it is told to stop, with checkpoints and log restarts on its way.
  private func expectWriter(_ path: String) async {
    await #expect(processExitsWith: .exitCode(3)) { [path = path as String] in
      var mode = OpenMode.own(create: false)
      mode.wait = .seconds(20)
      mode.durability = .off
      let store = try Connection(path: path, mode: mode)
      try store.execute("PRAGMA wal_autocheckpoint = 20")
      let folder = URL(filePath: path).deletingLastPathComponent()
      for round in 0..<20_000 {
        try store.run("UPDATE t SET v = ?1 WHERE k % 7 = ?1 % 7", [.integer(Int64(round))])
        if exists(folder.appending(path: "stop").path) { break }
      }
      try write([1], to: folder.appending(path: "done").path)
      exit(3)
    }
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
  }

  @Test("a read transaction of unknown age in WAL mode has no snapshot")
  func unknownAge() throws {
    let store = try makeStore(file("a"), journal: "WAL")
    try store.execute("BEGIN; SELECT count(*) FROM t")
    #expect(sqliteError { _ = try Snapshot(store) }?.isMisuse == true)
    #expect(store.isInTransaction)
  }
}
