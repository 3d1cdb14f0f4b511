import Foundation
import SQLite
import TestSupport
import Testing

@Suite("A database on top of another", .temporaryFolder) struct OverlayTests {
  private static let question =
    "SELECT count(*) || ' ' || ifnull(sum(k), 0) || ' ' || max(v) FROM t"

  /// A base with rows, and an overlay on it that is not opened yet.
  private func make(rows: Int = 500, pageSize: Int = 4096) throws -> (base: [UInt8], path: String) {
    try makeStore(file("base"), rows: rows, pageSize: pageSize).close()
    try Overlay.make(at: file("next"), on: file("base"))
    return (try contents(file("base")), file("next"))
  }

  private func open(_ path: String) throws -> Connection {
    try Connection(path: path, mode: .own(create: false))
  }

  @Test(
    "it begins with all that its base has, and keeps what is written to it", arguments: [512, 4096])
  func written(pageSize: Int) throws {
    let (base, path) = try make(pageSize: pageSize)
    let overlay = try open(path)
    #expect(overlay.isOverlay)
    #expect(try overlay.integer("SELECT count(*) FROM t") == 500)
    try overlay.execute("DELETE FROM t WHERE k % 3 = 0; CREATE INDEX i ON t (v)")
    try fill(overlay, rows: 700)
    let said = try overlay.string(Self.question)
    let image = try overlay.pageImage()
    try overlay.close()
    #expect(try contents(file("base")) == base)
    let again = try Connection(path: path, mode: .foreign)
    #expect(try again.string(Self.question) == said)
    #expect(try again.pageImage() == image)
    #expect(try again.problems(.full) == [])
  }

  @Test("SQLite copies it as it copies any database") func copied() throws {
    let (_, path) = try make()
    let overlay = try open(path)
    try overlay.execute("DELETE FROM t WHERE k > 40; PRAGMA incremental_vacuum")
    let copy = try Connection(path: file("copy"), mode: .own(create: true))
    try overlay.copy(to: copy)
    _ = try copy.setJournalMode("DELETE")
    #expect(try copy.pageImage() == overlay.pageImage())
    #expect(try copy.string(Self.question) == overlay.string(Self.question))
  }

  @Test("a log that was cut off anywhere ends with a whole commit") func cutOff() throws {
    let (base, path) = try make(rows: 5)
    let overlay = try open(path)
    for _ in 0..<6 { try fill(overlay, rows: 40) }
    try overlay.close()
    let log = try contents(path + "-wal")
    var found: Set<Int64> = []
    for length in stride(from: 0, to: log.count, by: 1_111) {
      try write(Array(log[..<length]), to: path + "-wal")
      let cut = try open(path)
      let rows = try #require(try cut.integer("SELECT count(*) FROM t"))
      #expect((rows - 5) % 40 == 0)
      #expect(try cut.problems(.full) == [])
      try cut.close()
      found.insert(rows)
    }
    #expect(found.count > 4)
    #expect(try contents(file("base")) == base)
  }

  @Test("one that was cut off can be written again") func resumed() throws {
    let (_, path) = try make(rows: 5)
    let overlay = try open(path)
    for _ in 0..<3 { try fill(overlay, rows: 40) }
    try overlay.close()
    let log = try contents(path + "-wal")
    try write(Array(log[..<(log.count * 2 / 3)]), to: path + "-wal")
    let again = try open(path)
    let rows = try #require(try again.integer("SELECT count(*) FROM t"))
    try fill(again, rows: 100)
    try again.close()
    let read = try Connection(path: path, mode: .foreign)
    #expect(try read.integer("SELECT count(*) FROM t") == rows + 100)
    #expect(try read.problems(.full) == [])
  }

  @Test("it can be on top of another one, and be attached") func chain() throws {
    let (base, path) = try make(rows: 100)
    let first = try open(path)
    try first.execute("DELETE FROM t WHERE k > 60")
    try first.close()
    let log = try contents(path + "-wal")
    try Overlay.make(at: file("second"), on: path)
    let second = try open(file("second"))
    try second.attach(path, as: "source", .readOnly)
    try fill(second, rows: 300)
    #expect(try second.integer("SELECT count(*) FROM main.t") == 360)
    #expect(try second.integer("SELECT count(*) FROM source.t") == 60)
    try second.close()
    #expect(try contents(file("base")) == base)
    #expect(try contents(path + "-wal") == log)
    let plain = try makeStore(file("plain"), rows: 1)
    try plain.attach(file("second"), as: "source", .readOnly)
    #expect(try plain.integer("SELECT count(*) FROM source.t") == 360)
  }

  @Test("a plain file can be attached to it") func plainAttached() throws {
    let (_, path) = try make(rows: 10)
    try makeStore(file("other"), rows: 3).close()
    let overlay = try open(path)
    try overlay.attach(file("other"), as: "source", .readOnly)
    try overlay.execute("INSERT INTO main.t (v) SELECT v FROM source.t")
    #expect(try overlay.integer("SELECT count(*) FROM main.t") == 13)
  }

  @Test("what must be a file of its own is not opened by its note") func refused() throws {
    let (_, path) = try make(rows: 1)
    for mode in [OpenMode.still, .foreignWritable] {
      #expect(sqliteError { _ = try Connection(path: path, mode: mode) }?.refusal == .notADatabase)
    }
    #expect(sqliteError { _ = try DatabaseFile.examine(path) }?.refusal == .notADatabase)
  }

  @Test(
    "a note leads nowhere but to a file next to it",
    arguments: ["../base", "/etc/passwd", "", ".", "..", "a/b"])
  func elsewhere(name: String) throws {
    try makeStore(file("base"), rows: 1).close()
    try write(Array("pipeline overlay 1\n\(name)\n".utf8), to: file("next"))
    #expect(!Overlay.isOne(file("next")))
    #expect(sqliteError { _ = try self.open(file("next")) }?.refusal == .notADatabase)
  }

  @Test("notes that name each other, or themselves, are refused", arguments: [1, 2, 3])
  func circle(count: Int) throws {
    for number in 0..<count {
      try write(
        Array("pipeline overlay 1\n\((number + 1) % count)\n".utf8), to: file("\(number)"))
      try write([], to: file("\(number)-wal"))
    }
    for number in 0..<count {
      #expect(sqliteError { _ = try self.open(file("\(number)")) }?.refusal == .notADatabase)
      #expect(!Overlay.canBeBase(file("\(number)")))
    }
  }

  @Test("what a walk has counted is not known of a log that ends before it") func walked() throws {
    let (_, path) = try make(rows: 5)
    let overlay = try open(path)
    try fill(overlay, rows: 40)
    let log = try contents(path + "-wal")
    try overlay.execute("DELETE FROM t WHERE k < 10")
    let walk = try #require(try overlay.walk(.rows(counting: "k")))
    #expect(try overlay.rows(since: walk)["t"]?.count == 36)
    try overlay.close()
    try write(log, to: path + "-wal")
    let read = try Connection(path: path, mode: .foreign)
    #expect(try read.integer("SELECT count(*) FROM t") == 45)
    #expect(try read.rows(since: walk).isEmpty)
  }

  @Test("only so many are on top of each other") func deep() throws {
    try makeStore(file("0"), rows: 10).close()
    var depth = 0
    while Overlay.canBeBase(file("\(depth)")) {
      try Overlay.make(at: file("\(depth + 1)"), on: file("\(depth)"))
      depth += 1
      let top = try open(file("\(depth)"))
      try fill(top, rows: 10)
      #expect(try top.integer("SELECT count(*) FROM t") == Int64(10 + depth * 10))
      try top.close()
    }
    #expect(depth == 8)
    try Overlay.make(at: file("more"), on: file("\(depth)"))
    #expect(sqliteError { _ = try self.open(file("more")) }?.refusal == .notADatabase)
  }

  @Test("a base with reserved bytes, or another vacuum, is read as it is", arguments: 0...2)
  func unusual(vacuum: Int) throws {
    let base = try makeReserved(file("base"), pageSize: 1024, vacuum: vacuum)
    try fill(base, rows: 300)
    try base.close()
    try Overlay.make(at: file("next"), on: file("base"))
    let overlay = try open(file("next"))
    try overlay.execute("DELETE FROM t WHERE k % 3 = 0; CREATE INDEX i ON t (v)")
    try fill(overlay, rows: 50)
    #expect(try overlay.integer("SELECT count(*) FROM t") == 250)
    #expect(try overlay.problems(.full) == [])
  }

  @Test("a base that was cut off is an error, and not an empty page") func shortBase() throws {
    let (base, path) = try make(rows: 500)
    try write(Array(base[..<(base.count / 2 / 4096 * 4096)]), to: file("base"))
    let error = sqliteError {
      let overlay = try self.open(path)
      _ = try overlay.string(Self.question)
    }
    #expect(error?.isCorrupt == true)
  }
}
