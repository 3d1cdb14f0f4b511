import Foundation
import OperatingSystem
import SQLite
import TestSupport
import Testing

@Suite("A walk over the pages", .temporaryFolder) struct PageWalkTests {
  static let rows = PageWalk.Scope.rows(counting: "Z_ENT")

  /// A database with values of all kinds, long ones among them, indexes of all kinds, free pages.
  func make(
    _ path: String, pageSize: Int = 4096, autoVacuum: Int = 2, count: Int = 900
  ) throws -> Connection {
    var mode = OpenMode.own(create: true)
    (mode.pageSize, mode.autoVacuum, mode.durability) = (pageSize, autoVacuum, .off)
    let store = try Connection(path: path, mode: mode)
    try store.execute(
      """
      CREATE TABLE t (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, a INTEGER, b VARCHAR, c FLOAT, d);
      CREATE TABLE p (x INTEGER, y INTEGER, PRIMARY KEY (x, y));
      CREATE INDEX a ON t (a); CREATE INDEX b ON t (b, a DESC); CREATE INDEX c ON t (c);
      CREATE INDEX d ON t (d); CREATE INDEX y ON p (y, x)
      """)
    try store.run(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
      INSERT INTO t SELECT i, 1 + i % 3, i * 7919 % 107,
      CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN '' WHEN 2 THEN printf('%0900d', i)
      ELSE 'aä' || i END, i / 2.0,
      CASE i % 6 WHEN 0 THEN i WHEN 1 THEN i + 0.25 WHEN 2 THEN CAST(i AS TEXT) WHEN 3 THEN NULL
      WHEN 4 THEN zeroblob(i * 9) ELSE -9007199254740993 - i END FROM n
      """, [.integer(Int64(count))])
    try store.execute(
      "INSERT INTO p SELECT a, Z_PK FROM t; DELETE FROM t WHERE Z_PK % 7 = 0 AND Z_PK > 300")
    return store
  }

  func walk(_ store: Connection) throws -> PageWalk {
    try #require(try store.walk(Self.rows))
  }

  @Test(
    "proves what SQLite made", arguments: [(512, 0), (1024, 1), (4096, 2), (8192, 2), (65_536, 2)])
  func sound(layout: (pageSize: Int, autoVacuum: Int)) throws {
    let store = try make(
      file("a"), pageSize: layout.pageSize, autoVacuum: layout.autoVacuum)
    #expect(try store.walk(.pages) != nil)
    let all: Set = ["a", "b", "c", "d", "y", "sqlite_autoindex_p_1"]
    #expect(try walk(store).rightIndexes == all)
    try store.execute("DELETE FROM t WHERE Z_PK > 20; PRAGMA incremental_vacuum")
    #expect(try walk(store).rightIndexes == all)
    try store.execute("DELETE FROM t; DELETE FROM p; DROP INDEX a; VACUUM")
    #expect(try walk(store).rightIndexes == all.subtracting(["a"]))
  }

  @Test("databases that were made by the same statements have trees of their own")
  func sameStatements() throws {
    let all: Set = ["a", "b", "c", "d", "y", "sqlite_autoindex_p_1"]
    let stores = [try make(file("a"), autoVacuum: 0), try make(file("b"), count: 40)]
    for store in stores + stores {
      let walk = try walk(store)
      let count = try store.integer("SELECT count(*) FROM t")
      #expect(walk.rows(of: "t")?.count == count.map(Int.init))
      #expect(walk.rightIndexes == all)
    }
    try stores[1].execute("DROP INDEX a; CREATE INDEX a ON t (c)")
    #expect(try walk(stores[1]).rightIndexes == all)
    #expect(try walk(stores[0]).rightIndexes == all)
  }

  @Test(
    "constraints, which SQLite looks at itself, are seen however they are spelled",
    arguments: [
      ("a INTEGER NOT NULL", false), ("a INTEGER not\tnull", false),
      ("a INTEGER/**/nOt/**/NULL", false), ("nota INTEGER", true), ("NOTE_without INTEGER", true),
      ("\u{e9}NOT INTEGER", true), ("a INTEGER", true),
    ])
  func constraints(column: (text: String, isProved: Bool)) throws {
    let store = try Connection(path: file("a"), mode: .own(create: true))
    try store.execute("CREATE TABLE t (Z_PK INTEGER PRIMARY KEY, \(column.text))")
    #expect(try (store.walk(.pages) != nil) == column.isProved)
  }

  @Test("says what the rows are") func rows() throws {
    let store = try make(file("a"))
    let rows = try #require(try walk(store).rows(of: "t"))
    #expect(rows.count == 814)
    let counts = try store.rows("SELECT Z_ENT, count(*) FROM t GROUP BY 1").map {
      $0.map(\.integer)
    }
    for count in counts {
      #expect(try rows.numbers?[#require(count[0])].map(Int64.init) == count[1])
    }
    #expect(try rows.values(in: "b").map(Int64.init) == store.integer("SELECT count(b) FROM t"))
    #expect(rows.has(only: [.null, .text], in: "b"))
    #expect(!rows.has(only: [.text], in: "b"))
    #expect(rows.has(only: [.integer, .real], in: "c"))
    #expect(!rows.has(only: [.null, .integer, .real, .text], in: "d"))
    #expect(!rows.has(only: [.integer], in: "none"))
    #expect(try walk(store).rows(of: "p")?.numbers == nil)
    #expect(try #require(try store.walk(.pages)).rows(of: "t")?.numbers == nil)
  }

  @Test("counts no values where a row has no such field, nor numbers where one has another value")
  func defaults() throws {
    let store = try make(file("a"))
    try store.execute("ALTER TABLE t ADD COLUMN e INTEGER; CREATE INDEX e ON t (e)")
    try store.execute("UPDATE t SET Z_ENT = x'00' WHERE Z_PK = 5")
    let walk = try walk(store)
    let rows = try #require(walk.rows(of: "t"))
    #expect(rows.values(in: "e") == nil)
    #expect(!rows.has(only: [.null, .integer], in: "e"))
    #expect(rows.numbers == nil)
    #expect(walk.rightIndexes == ["a", "b", "c", "d", "y", "sqlite_autoindex_p_1"])
  }

  @Test("measures the pages of each tree") func bytes() throws {
    let store = try make(file("a"))
    let walk = try walk(store)
    try store.query("SELECT name, pgsize FROM dbstat WHERE aggregate = TRUE") { row in
      let name = try #require(try row.string(0))
      #expect(walk.bytes(of: name == "sqlite_schema" ? "sqlite_master" : name) == row.integer(1))
    }
    #expect(walk.bytes(of: "none") == nil)
  }

  @Test(
    "a value that is of another class than its column's is left to SQLite",
    arguments: [("b VARCHAR", "b INTEGER"), ("a INTEGER", "a VARCHAR"), ("c FLOAT", "c TEXT ")])
  func classes(change: (from: String, to: String)) throws {
    try make(file("a"), count: 20).close()
    // Another type with the same rows, as no statement of SQL can give it to the column.
    var bytes = try contents(file("a"))
    let words = Array(change.from.utf8)
    let starts = 0...(4096 - words.count)
    let place = try #require(starts.first { Array(bytes[$0..<$0 + words.count]) == words })
    bytes.replaceSubrange(place..<place + words.count, with: Array(change.to.utf8))
    try write(bytes, to: file("a"))
    let store = try Connection(path: file("a"), mode: .foreign)
    #expect(try store.walk(.pages) == nil)
    #expect(try store.problems() == store.found(by: .quick))
  }

  @Test("never proves what SQLite calls damaged, nor an index that it finds wrong")
  func damaged() throws {
    try make(file("a"), pageSize: 1024, count: 300).close()
    let sound = try contents(file("a"))
    var chance = Chance(state: 26)
    var found = 0
    for _ in 0..<400 {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...3, using: &chance) {
        // The heads of pages more often than what is in them.
        let place = Int.random(in: 100..<bytes.count, using: &chance)
        let head = place / 1024 * 1024 + place % 16
        bytes[Bool.random(using: &chance) ? place : max(100, head)] = .random(
          in: .min ... .max, using: &chance)
      }
      try write(bytes, to: file("b"))
      guard let store = try? Connection(path: file("b"), mode: .foreign) else { continue }
      guard let walk = try? store.walk(Self.rows) else {
        found += 1
        continue
      }
      #expect(try store.found(by: .quick) == [])
      let problems = try store.found(by: .full)
      for index in walk.rightIndexes {
        #expect(!problems.contains { $0.hasSuffix(" \(index)") }, "\(problems)")
      }
    }
    #expect(found > 50)
  }

  @Test(
    "leaves to SQLite what it does not know",
    arguments: [
      "CREATE TABLE w (a PRIMARY KEY, b) WITHOUT ROWID", "CREATE TABLE w (a NOT NULL)",
      "CREATE TABLE w (a INTEGER) STRICT", "CREATE VIRTUAL TABLE w USING rtree(i, a, b)",
    ])
  func unknown(sql: String) throws {
    let store = try make(file("a"), count: 20)
    try store.execute(sql)
    #expect(try store.walk(.pages) == nil)
    #expect(try store.problems() == [])
  }

  @Test(
    "fails for an index whose entries are not those of its rows",
    arguments: [
      ("a", "b"), ("a", "a DESC"), ("b", "b, a"), ("c", "a"), ("d", "d DESC"),
    ])
  func wrong(pair: (index: String, columns: String)) throws {
    let store = try make(file("a"))
    try store.transaction {
      let sql = "CREATE INDEX \(pair.index) ON t (\(pair.columns))"
      try store.move([MovedIndex(name: pair.index, table: "t", sql: sql)])
    }
    #expect(try !walk(store).rightIndexes.contains(pair.index))
  }

  @Test(
    "proves no partial index, no expression, and no other collation",
    arguments: [
      "a) WHERE (a > 1", "a + 1", "b COLLATE NOCASE", "Z_PK",
    ])
  func unproved(list: String) throws {
    let store = try make(file("a"))
    try store.execute("CREATE INDEX e ON t (\(list))")
    #expect(try !walk(store).rightIndexes.contains("e"))
  }

  @Test("two threads prove a large file, and find what is wrong in any of its trees")
  func large() throws {
    let store = try make(file("a"), count: 2600)
    #expect(try #require(try FileEntry.at(file("a"))).size > 8 << 20)
    let all: Set = ["a", "b", "c", "d", "y", "sqlite_autoindex_p_1"]
    for _ in 0..<8 { #expect(try walk(store).rightIndexes == all) }
    for index in ["a", "d"] {
      let wrong = try make(file("of \(index)"), count: 2600)
      try wrong.transaction {
        let sql = "CREATE INDEX \(index) ON t (c)"
        try wrong.move([MovedIndex(name: index, table: "t", sql: sql)])
      }
      #expect(try walk(wrong).rightIndexes == all.subtracting([index]))
    }
  }

  @Test("a page that two threads meet in two trees is not proved") func shared() throws {
    let store = try make(file("a"), autoVacuum: 0, count: 2600)
    let roots = try ["t", "b", "c", "d"].map { name in
      let sql = "SELECT rootpage FROM sqlite_master WHERE name = '\(name)'"
      return try #require(try store.integer(sql))
    }
    try store.close()
    let sound = try contents(file("a"))
    for (one, other) in [(roots[1], roots[3]), (roots[2], roots[1]), (roots[3], roots[2])] {
      // The first child of an index is one of another index, too.
      var bytes = sound
      let from = (Int(one) - 1) * 4096, to = (Int(other) - 1) * 4096
      func cell(_ page: Int) -> Int { page + Int(bytes[page + 12]) << 8 + Int(bytes[page + 13]) }
      let (source, target) = (cell(from), cell(to))
      bytes.replaceSubrange(target..<target + 4, with: sound[source..<source + 4])
      try write(bytes, to: file("b"))
      let damaged = try Connection(path: file("b"), mode: .foreign)
      #expect(try damaged.walk(.pages) == nil)
      try damaged.close()
    }
  }

  @Test("ends when its time is over") func deadline() throws {
    let store = try make(file("a"), pageSize: 512, count: 9000)
    let error = sqliteError { try store.withDeadline(.zero) { _ = try store.walk(.pages) } }
    #expect(error?.isInterrupted == true)
  }

  @Test("of a transaction that is open nothing is believed") func transaction() throws {
    let store = try make(file("a"), count: 20)
    try store.execute("BEGIN IMMEDIATE; DELETE FROM t")
    #expect(try store.walk(.pages) == nil)
    try store.execute("COMMIT")
    #expect(try walk(store).rows(of: "t")?.count == 0)
  }
}

/// The same numbers each time (SplitMix64).
private struct Chance: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }
}

// Damage of each kind that SQLite's own check knows (btree.c, sqlite3BtreeIntegrityCheck).
extension PageWalkTests {
  /// The kinds of damage, each with how it is made in a database of pages of 1,024 bytes that has a
  /// pointer map.
  enum Damage: String, CaseIterable {
    case freePageNotCounted, freePagesForgotten, freePageTwice
    case cellOutside, cellTwice, cellInTheHead, cellCutOff, fragmentNotCounted, freeBlockOutside
    case rowsOutOfOrder, wrongKindOfPage, noKindOfPage
    case childTwice, childBehindTheEnd, childZero, childOfAnotherTree, childAtAnotherDepth
    case longValueTooShort, longValueInACircle, longValueOfAnother
    case headTooLong, recordTooShort, mapOfAnotherKind, mapOfAnotherPage

    fileprivate func make(in file: inout DamagedFile) throws {
      let leaf = try file.page { $0[0] == 0x0d && $0[4] > 2 && $0[3] == 0 }
      let inner = try file.page { $0[0] == 0x05 && $0[4] > 2 }
      switch self {
      case .freePageNotCounted: file.set(file.number(36) - 1, at: 36)
      case .freePagesForgotten: for place in [32, 36] { file.set(0, at: place) }
      case .freePageTwice:
        let trunk = file.start(ofPage: file.number(32))
        file.set(file.number(trunk + 8), at: trunk + 12)
      case .cellOutside: file.setShort(1023, at: leaf + 8)
      case .cellTwice: file.setShort(file.short(leaf + 8), at: leaf + 10)
      case .cellInTheHead: file.setShort(4, at: leaf + 8)
      case .cellCutOff: file.bytes[leaf + file.short(leaf + 8)] = 0xff
      case .fragmentNotCounted: file.bytes[leaf + 7] ^= 1
      case .freeBlockOutside: file.setShort(1022, at: leaf + 1)
      case .rowsOutOfOrder:
        let first = file.short(leaf + 8)
        file.setShort(file.short(leaf + 10), at: leaf + 8)
        file.setShort(first, at: leaf + 10)
      case .wrongKindOfPage: file.bytes[leaf] = 0x0a
      case .noKindOfPage: file.bytes[leaf] = 0x0c
      case .childTwice: file.set(file.child(1, inner), at: inner + file.short(inner + 12))
      case .childBehindTheEnd: file.set(.max, at: inner + file.short(inner + 12))
      case .childZero: file.set(0, at: inner + file.short(inner + 12))
      case .childOfAnotherTree:
        let other = try file.page { $0[0] == 0x0a }
        file.set(file.page(at: other), at: inner + file.short(inner + 12))
      case .childAtAnotherDepth:
        file.set(file.page(at: inner), at: inner + file.short(inner + 12))
      case .longValueTooShort: file.set(0, at: try file.long().before)
      case .longValueInACircle:
        let long = try file.long()
        file.set(file.page(at: long.page), at: long.page)
      case .longValueOfAnother:
        let long = try file.long()
        file.set(file.page(at: leaf), at: long.before)
      case .headTooLong: file.bytes[file.record(leaf)] = 0x7f
      // An integer of eight bytes in place of a shorter one.
      case .recordTooShort: file.bytes[file.record(leaf) + 2] = 6
      case .mapOfAnotherKind: file.bytes[1024 + 5 * 4] ^= 1
      case .mapOfAnotherPage: file.bytes[1024 + 5 * 4 + 4] ^= 1
      }
    }
  }

  @Test("no damage that SQLite finds is called sound", arguments: Damage.allCases)
  func kinds(damage: Damage) throws {
    try make(file("a"), pageSize: 1024).close()
    var damaged = DamagedFile(bytes: try contents(file("a")))
    try damage.make(in: &damaged)
    try write(damaged.bytes, to: file("b"))
    var problems = ["it does not open"]
    if let store = try? Connection(path: file("b"), mode: .foreign) {
      #expect(try store.walk(.pages) == nil)
      #expect(try store.walk(Self.rows) == nil)
      problems = (try? store.found(by: .quick)) ?? ["it cannot be read"]
      #expect((try? store.problems()) != [])
    }
    #expect(!problems.isEmpty, "SQLite has no words for this kind of damage")
  }
}

/// The bytes of a database with pages of 1,024 bytes.
private struct DamagedFile {
  var bytes: [UInt8]

  func short(_ place: Int) -> Int { Int(bytes[place]) << 8 | Int(bytes[place + 1]) }

  mutating func setShort(_ number: Int, at place: Int) {
    (bytes[place], bytes[place + 1]) = (UInt8(number >> 8), UInt8(number & 0xff))
  }

  func number(_ place: Int) -> UInt32 {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  mutating func set(_ number: UInt32, at place: Int) {
    for offset in 0..<4 { bytes[place + offset] = UInt8(number >> (24 - 8 * offset) & 0xff) }
  }

  func start(ofPage page: UInt32) -> Int { (Int(page) - 1) * 1024 }

  func page(at place: Int) -> UInt32 { UInt32(place / 1024 + 1) }

  /// Where the first page begins of which something is true; neither the first nor the map is one.
  func page(_ isOne: (ArraySlice<UInt8>) -> Bool) throws -> Int {
    let map = bytes[1024..<2048]
    let starts = stride(from: 2048, to: bytes.count, by: 1024)
    // By the map: free pages and those of long values may look like any other.
    return try #require(
      starts.first { start in
        let entry = map.startIndex + (start / 1024 - 2) * 5
        return entry + 5 <= map.endIndex && [1, 5].contains(map[entry])
          && isOne(ArraySlice(Array(bytes[start..<start + 1024])))
      })
  }

  /// Where the record of a leaf's first row begins, behind its length and the row's key.
  func record(_ leaf: Int) -> Int {
    var place = leaf + short(leaf + 8)
    for _ in 0..<2 {
      while bytes[place] >= 0x80 { place += 1 }
      place += 1
    }
    return place
  }

  /// The child of an interior page's cell.
  func child(_ cell: Int, _ page: Int) -> UInt32 { number(page + short(page + 12 + 2 * cell)) }

  /// The second page of a long value, and the place of its number in the first one.
  func long() throws -> (page: Int, before: Int) {
    let entries = stride(from: 1024, to: 2044, by: 5)
    let entry = try #require(entries.first { bytes[$0] == 4 })
    let page = start(ofPage: UInt32((entry - 1024) / 5 + 3))
    return (page, start(ofPage: number(entry + 1)))
  }
}
