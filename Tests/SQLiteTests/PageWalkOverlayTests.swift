import Foundation
import SQLite
import TestSupport
import Testing

// Walks over a database on top of another one, which begin with what is known of that.
extension PageWalkTests {
  /// An overlay on a database, and a walk over that.
  private func overlay(autoVacuum: Int = 2) throws -> (store: Connection, base: PageWalk) {
    let base = try make(file("base"), autoVacuum: autoVacuum)
    let walk = try walk(base)
    try base.close()
    try Overlay.make(at: file("next"), on: file("base"))
    return (try Connection(path: file("next"), mode: .own(create: false)), walk)
  }

  @Test("what was not written since is known", arguments: [0, 1, 2])
  func since(autoVacuum: Int) throws {
    let (store, base) = try overlay(autoVacuum: autoVacuum)
    for sql in [
      "UPDATE t SET a = a + 1 WHERE Z_PK % 2 = 0", "DELETE FROM p WHERE y > 700",
      "CREATE TABLE u (x); INSERT INTO u SELECT b FROM t", "DROP TABLE t",
      "PRAGMA incremental_vacuum", "INSERT INTO p SELECT 1000 + x, y FROM p",
    ] {
      try store.execute(sql)
      let known = try #require(try store.walk(Self.rows, since: base))
      let whole = try walk(store)
      #expect(known.rightIndexes == whole.rightIndexes)
      for name in ["t", "p", "u", "a", "y"] {
        #expect(known.rows(of: name)?.count == whole.rows(of: name)?.count)
        #expect(known.rows(of: name)?.numbers == whole.rows(of: name)?.numbers)
        #expect(known.bytes(of: name) == whole.bytes(of: name))
      }
      #expect(try store.found(by: .full) == [])
    }
  }

  @Test("a table is untouched when none of its pages was written, and it begins where it did")
  func untouched() throws {
    let (store, base) = try overlay()
    #expect(try store.untouched(since: base, file("base")).isSuperset(of: ["p", "t"]))
    #expect(try store.untouched(since: base, file("other")) == [])
    try store.execute("UPDATE t SET a = 50 WHERE Z_PK = 1")
    #expect(try store.untouched(since: base, file("base")).intersection(["p", "t"]) == ["p"])
    try store.execute("CREATE TABLE q AS SELECT * FROM p; DROP TABLE p")
    try store.execute("ALTER TABLE q RENAME TO p")
    #expect(try store.untouched(since: base, file("base")).intersection(["p", "t"]) == [])
  }

  @Test("what was found wrong in the pages that were written is what SQLite finds") func sealed()
    throws
  {
    let (store, base) = try overlay()
    try store.execute("UPDATE t SET a = a + 1")
    #expect(try store.problems(since: base, over: file("base")) == [])
    // A walk over another file is not believed.
    #expect(try store.problems(since: base, over: file("other")) == [])
  }

  @Test("rows that a walk counted are known until their table is written") func counted() throws {
    let (store, base) = try overlay()
    try store.execute("UPDATE t SET a = a + 1")
    let walk = try #require(try store.walk(Self.rows, since: base))
    let all = try store.rows(since: walk)
    #expect(all["p"]?.count == 900)
    #expect(try all["t"]?.count == Int(#require(try store.integer("SELECT count(*) FROM t"))))
    try store.execute("INSERT INTO p VALUES (-1, -1)")
    let rest = try store.rows(since: walk)
    #expect(rest["p"] == nil && rest["t"]?.numbers == all["t"]?.numbers)
    #expect(try store.rows(since: base).isEmpty && store.rows(since: nil).isEmpty)
  }

  @Test("a walk over the overlay itself is continued from where it was") func continued() throws {
    let (store, base) = try overlay()
    try store.execute("UPDATE t SET a = a + 1")
    let first = try #require(try store.walk(Self.rows, since: base))
    try store.execute("INSERT INTO p VALUES (-1, -1)")
    let second = try #require(try store.walk(Self.rows, since: first))
    #expect(try second.rightIndexes == walk(store).rightIndexes)
    #expect(second.rows(of: "p")?.count == 901)
  }

  @Test("who only reads continues the walk of who wrote, unless the log was made again")
  func handedOn() throws {
    let (store, base) = try overlay()
    try store.execute("UPDATE t SET a = a + 1")
    let first = try #require(try store.walk(Self.rows, since: base))
    try store.execute("INSERT INTO p VALUES (-1, -1)")
    try store.close()
    let reader = try Connection(path: file("next"), mode: .foreign)
    #expect(try reader.problems(since: first, over: file("base")) == [])
    #expect(try reader.walk(Self.rows, since: first)?.rows(of: "p")?.count == 901)
    try reader.close()
    try FileManager.default.removeItem(atPath: file("next-wal"))
    let other = try Connection(path: file("next"), mode: .own(create: false))
    try other.execute("DELETE FROM t WHERE Z_PK <= 10")
    try other.close()
    let again = try Connection(path: file("next"), mode: .foreign)
    let count = try again.integer("SELECT count(*) FROM t").map { Int($0) }
    #expect(try again.walk(Self.rows, since: first)?.rows(of: "t")?.count == count)
    try again.close()
  }

  @Test("indexes can be compared with the rows of another table") func others() throws {
    let (store, base) = try overlay()
    try store.execute(
      """
      CREATE TABLE u (Z_PK INTEGER PRIMARY KEY, b VARCHAR, a INTEGER);
      INSERT INTO u SELECT Z_PK, b, a FROM t; CREATE TABLE s (a INTEGER, b VARCHAR)
      """)
    try store.transaction {
      try store.move(
        [
          MovedIndex(name: "a", table: "s", sql: "CREATE INDEX a ON s (a)"),
          MovedIndex(name: "b", table: "s", sql: "CREATE INDEX b ON s (b, a DESC)"),
        ])
    }
    func right() throws -> Set<String> {
      try #require(try store.walk(Self.rows, comparing: ["s": "u"], since: base)).rightIndexes
    }
    #expect(try right().isSuperset(of: ["a", "b"]))
    try store.execute("UPDATE u SET a = 5 WHERE Z_PK = 17")
    #expect(try right().isDisjoint(with: ["a", "b"]))
  }

  @Test("a page of the map that says something else is no more than doubted") func map() throws {
    let (store, base) = try overlay()
    try store.execute("UPDATE t SET a = 1 WHERE Z_PK = 1")
    try store.close()
    // The map's first page is the second of all; SQLite writes it when a page is added.
    var bytes = try contents(file("base"))
    bytes[4096 + 5 * 4] ^= 1
    try write(bytes, to: file("base"))
    let again = try Connection(path: file("next"), mode: .foreign)
    #expect(try again.walk(Self.rows, since: base) == nil)
  }
}
