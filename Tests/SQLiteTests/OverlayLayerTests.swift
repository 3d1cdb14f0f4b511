import Foundation
import SQLite
import TestSupport
import Testing

@Suite("An overlay whose log has started over", .temporaryFolder) struct OverlayLayerTests {
  private static let question =
    "SELECT count(*) || ' ' || ifnull(sum(k), 0) || ' ' || group_concat(v) FROM t"

  /// A base with rows, and an overlay on it that is not opened yet.
  private func make(rows: Int = 300) throws -> [UInt8] {
    try makeStore(file("base"), rows: rows).close()
    try Overlay.make(at: file("next"), on: file("base"))
    return try contents(file("base"))
  }

  private func open(_ path: String = file("next"), longestLog: Int = 40_000) throws -> Connection {
    var mode = OpenMode.own(create: false)
    mode.longestLog = longestLog
    return try Connection(path: path, mode: mode)
  }

  /// Changes a few rows of `store` again and again, each time in a commit.
  private func change(_ store: Connection, _ rounds: Range<Int>) throws {
    for round in rounds {
      try store.run(
        "UPDATE t SET v = ?1 || substr(v, 9) WHERE k % 97 = ?2",
        [.text("\(10_000_000 + round)"), .integer(Int64(round % 7))])
    }
  }

  private func size(_ name: String) throws -> Int { try contents(file(name)).count }

  @Test("it has what one with a long log has, and its log is short") func short() throws {
    let base = try make()
    try Overlay.make(at: file("long"), on: file("base"))
    let (overlay, long) = (try open(), try open(file("long"), longestLog: 1 << 30))
    for rounds in [0..<40, 40..<200, 200..<333] {
      try change(overlay, rounds)
      try change(long, rounds)
      #expect(try overlay.string(Self.question) == long.string(Self.question))
      #expect(try overlay.pageImage() == long.pageImage())
    }
    try fill(overlay, rows: 200)
    try fill(long, rows: 200)
    try overlay.close()
    try long.close()
    #expect(try contents(file("base")) == base)
    #expect(try size("next-wal") < size("long-wal") / 4)
    let (read, other) = (
      try Connection(path: file("next"), mode: .foreign),
      try Connection(path: file("long"), mode: .foreign)
    )
    #expect(try read.string(Self.question) == other.string(Self.question))
    #expect(try read.pageImage() == other.pageImage())
    #expect(try read.problems(.full) == [])
    #expect(read.isOverlay(on: file("base")))
  }

  @Test("it is one with a base of its own, too") func empty() throws {
    try Overlay.makeEmpty(at: file("next"), pageSize: 4096)
    let store = try open()
    try store.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, v)")
    try fill(store, rows: 200)
    try change(store, 0..<200)
    let said = try store.string(Self.question)
    try store.close()
    #expect(try Overlay.hasBase(file("next")))
    #expect(try open().string(Self.question) == said)
    // A power cut may take a base that is not synced, and not the layer.
    try FileManager.default.removeItem(atPath: file("next-base"))
    #expect(try !Overlay.hasBase(file("next")))
  }

  @Test("a kill between any two of the steps leaves the same content") func killed() throws {
    _ = try make()
    let before = try open(longestLog: 1 << 30)
    try change(before, 0..<300)
    try before.execute("DELETE FROM t WHERE k > 200; PRAGMA incremental_vacuum")
    let (said, image) = (try before.string(Self.question), try before.pageImage())
    try before.close()
    let (note, log) = (try contents(file("next")), try contents(file("next-wal")))
    // A commit has it start over.
    let after = try open(longestLog: 1)
    try after.execute("PRAGMA user_version = 7")
    try after.close()
    #expect(try size("next-wal") == 0)
    let named = try contents(file("next"))
    #expect(note != named)
    for (note, log) in [(note, log), (named, log), (named, [])] {
      try write(note, to: file("next"))
      try write(log, to: file("next-wal"))
      let read = try Connection(path: file("next"), mode: .foreign)
      #expect(try read.string(Self.question) == said)
      #expect(try read.problems(.full) == [])
      try read.close()
      let written = try open(longestLog: 1 << 30)
      #expect(try written.string(Self.question) == said)
      #expect(try written.pageImage().pageCount == image.pageCount)
      try change(written, 300..<303)
      #expect(try written.problems(.full) == [])
      try written.close()
    }
  }

  /// Of a log that was not synced a power cut leaves a part: with the pages of an earlier commit,
  /// which would be read in the place of the layer's.
  @Test("the log is on the disk before the note names the layer, and again once it is empty")
  func order() async throws {
    _ = try make()
    await #expect(processExitsWith: .success) {
      [path = file("next") as String, log = file("calls") as String] in
      _ = unsafe setenv("PIPELINE_FAULTS_LOG", log, 1)
      var mode = OpenMode.own(create: false)
      mode.longestLog = 40_000
      let overlay = try Connection(path: path, mode: mode)
      for round in 0..<40 {
        try overlay.run("UPDATE t SET v = ?1 WHERE k = 1", [.integer(Int64(round))])
      }
      try overlay.close()
    }
    let calls = try String(contentsOfFile: file("calls"), encoding: .utf8).split(separator: "\n")
      .map { $0.split(separator: "\t").dropFirst().joined(separator: " ") }
    let named = try #require(calls.firstIndex { $0.hasPrefix("rename") && $0.contains("/next") })
    let synced = calls.indices.filter {
      calls[$0].hasPrefix("fsync") && calls[$0].hasSuffix("/next-wal")
    }
    let emptied = try #require(
      calls[named...].firstIndex { $0.hasPrefix("xTruncate") && $0.hasSuffix("/next-wal") })
    let written = try #require(
      calls[emptied...].firstIndex { $0.hasPrefix("xWrite") && $0.hasSuffix("/next-wal") })
    #expect(synced.first.map { $0 < named } == true)
    #expect(synced.contains { emptied < $0 && $0 < written })
    #expect(calls[..<named].contains { $0.hasPrefix("fsync") && $0.hasSuffix("/next-layer-1-wal") })
  }

  @Test("while no more files can be opened the log grows, and it starts over later")
  func noFiles() async throws {
    _ = try make()
    await #expect(processExitsWith: .success) { [path = file("next") as String] in
      var mode = OpenMode.own(create: false)
      mode.longestLog = 40_000
      let overlay = try Connection(path: path, mode: mode)
      func change(_ rounds: Range<Int>) throws {
        for round in rounds {
          try overlay.run("UPDATE t SET v = ?1 WHERE k = 1", [.integer(Int64(round))])
        }
      }
      try FileLimit.openingNoFile { try change(0..<40) }
      #expect(try contents(path + "-wal").count > 150_000)
      try change(40..<200)
      #expect(try contents(path + "-wal").count < 150_000)
      #expect(try overlay.integer("SELECT v FROM t WHERE k = 1") == 199)
    }
  }

  @Test("a layer that a killed process has begun is made again") func begun() throws {
    _ = try make()
    for suffix in Overlay.layerSuffixes.flatMap({ [$0, $0 + "-wal"] }) {
      try write([1, 2, 3], to: file("next" + suffix))
    }
    let overlay = try open()
    try change(overlay, 0..<200)
    let said = try overlay.string(Self.question)
    try overlay.close()
    #expect(try open().string(Self.question) == said)
    #expect(try open().problems(.full) == [])
  }

  @Test("while a statement reads, the log grows") func reading() throws {
    _ = try make()
    let overlay = try open()
    try overlay.query("SELECT k FROM t WHERE k < 3 ORDER BY k") { _ in
      try change(overlay, 0..<80)
    }
    let long = try size("next-wal")
    #expect(long > 80_000)
    try change(overlay, 80..<200)
    #expect(try size("next-wal") < long)
    #expect(try overlay.problems(.full) == [])
  }

  /// Sets the first letter of each value, in another order of pages each time.
  private static let letters = [
    "UPDATE t SET v = 'a' || substr(v, 2)",
    "UPDATE t SET v = 'b' || substr(v, 2) WHERE k > 2500",
    "UPDATE t SET v = 'b' || substr(v, 2) WHERE k <= 2500; DELETE FROM t WHERE k % 2 = 0",
    "UPDATE t SET v = 'c' || substr(v, 2) WHERE k > 3000",
  ]

  @Test("who reads it while its log starts over reads what there was, or has to try again")
  func viewed() async throws {
    _ = try make(rows: 5000)
    let writer = try open(longestLog: 1 << 30)
    try writer.execute(Self.letters[0])
    try writer.close()
    let read = try Connection(path: file("next"), mode: .foreign)
    #expect(try read.integer("SELECT count(*) FROM t WHERE k < 3") == 2)
    await #expect(processExitsWith: .success) { [path = file("next") as String] in
      var mode = OpenMode.own(create: false)
      mode.longestLog = 1
      let overlay = try Connection(path: path, mode: mode)
      for sql in OverlayLayerTests.letters { try overlay.execute(sql) }
      try overlay.close()
    }
    do {
      let found = try read.string(
        "SELECT group_concat(DISTINCT substr(v, 1, 1)) || ' ' || count(*) FROM t")
      #expect(found == "a 5000")
    } catch {
      #expect(error.isBusy, "\(error)")
    }
  }

  @Test("who opens it while its log starts over again and again reads one commit, and no old one")
  func opened() async throws {
    _ = try make(rows: 200)
    let child = Task { [path = file("next") as String, end = file("end") as String] in
      await #expect(processExitsWith: .success) { [path = path as String, end = end as String] in
        var mode = OpenMode.own(create: false)
        mode.longestLog = 1
        let overlay = try Connection(path: path, mode: mode)
        for round in 1...400 {
          try overlay.run(
            "UPDATE t SET v = ?1 || substr(v, 9)", [.text("\(10_000_000 + round)")])
        }
        try overlay.close()
        try write([], to: end)
      }
    }
    var last = ""
    for _ in 0..<20_000 where !exists(file("end")) {
      await Task.yield()
      do {
        let read = try Connection(path: file("next"), mode: .foreign)
        defer { try? read.close() }
        let row = try read.rows(
          "SELECT min(substr(v, 1, 8)), max(substr(v, 1, 8)), count(*) FROM t")[0]
        #expect(row[0] == row[1] && row[2] == .integer(200))
        #expect(row[0].string ?? "" >= last)
        last = row[0].string ?? last
      } catch {
        #expect(error.isBusy, "\(error)")
      }
    }
    _ = await child.value
    #expect(try open().string("SELECT min(substr(v, 1, 8)) FROM t") == "10000400")
  }

  @Test("one may be on top of it") func below() throws {
    let base = try make()
    let first = try open()
    try change(first, 0..<200)
    let said = try first.string(Self.question)
    try first.close()
    try Overlay.make(at: file("second"), on: file("next"))
    let second = try open(file("second"))
    #expect(try second.string(Self.question) == said)
    try change(second, 200..<400)
    let last = try second.string(Self.question)
    try second.close()
    #expect(try open(file("second")).string(Self.question) == last)
    #expect(try open().string(Self.question) == said)
    #expect(try contents(file("base")) == base)
  }

  @Test("SQLite does not get to write into the base") func checkpoint() throws {
    let base = try make()
    let overlay = try open(longestLog: 1 << 30)
    try change(overlay, 0..<30)
    let said = try overlay.string(Self.question)
    _ = try? overlay.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    #expect(try overlay.string(Self.question) == said)
    try overlay.close()
    #expect(try contents(file("base")) == base)
    #expect(try open().string(Self.question) == said)
  }
}
