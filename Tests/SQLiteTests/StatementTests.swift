import SQLite
import TestSupport
import Testing

@Suite("Statements") struct StatementTests {
  private let store: Connection

  init() throws {
    store = try Connection(inMemory: .own)
    try store.execute(
      "CREATE TABLE t (k INTEGER PRIMARY KEY, v VARCHAR); INSERT INTO t VALUES (1, 'a'), (2, 'b')")
  }

  @Test("rows come in order, and once more after a reset")
  func steps() throws {
    let statement = try store.prepare("SELECT k, v FROM t ORDER BY k")
    for _ in 0..<2 {
      var seen: [String] = []
      try statement.forEach { row in seen.append(try row.string(1) ?? "") }
      #expect(seen == ["a", "b"])
      #expect(!statement.isRunning)
    }
  }

  @Test("an error in the closure ends the iteration and resets the statement")
  func throwing() throws {
    struct Stop: Error {}
    let statement = try store.prepare("SELECT k FROM t")
    var seen = 0
    #expect(throws: Stop.self) {
      try statement.forEach { _ in
        seen += 1
        throw Stop()
      }
    }
    #expect(seen == 1)
    #expect(!statement.isRunning)
  }

  @Test("columns are known before the first row, and whether anything is written")
  func columns() throws {
    let statement = try store.prepare("SELECT k, v, k + 1 AS next FROM t")
    #expect((0..<statement.columnCount).map(statement.columnName) == ["k", "v", "next"])
    #expect(statement.isReadOnly)
    #expect(try !store.prepare("DELETE FROM t").isReadOnly)
  }

  @Test(
    "a text of no statement or of more than one is refused",
    arguments: [
      "", " ", "-- nothing", "SELECT 1; SELECT 2", "SELECT 1\0; DELETE FROM t", "SELECT 1 x y",
    ])
  func notOne(sql: String) {
    #expect(sqliteError { _ = try store.prepare(sql) } != nil)
  }

  @Test("a script with a NUL does not run by half")
  func nulInScript() throws {
    #expect(sqliteError { try store.execute("DELETE FROM t\0 WHERE k = 1") }?.isMisuse == true)
    #expect(try store.integer("SELECT count(*) FROM t") == 2)
  }

  @Test("white space and a semicolon may follow")
  func tail() throws {
    #expect(try store.integer("SELECT 1 ; \n") == 1)
  }

  @Test("a cached statement is prepared once and comes back clean")
  func cached() throws {
    let sql = "SELECT ?1"
    let first = try {
      let statement = try store.prepare(sql, cached: true)
      try statement.bind([.integer(5)])
      try statement.step()
      return statement.address
    }()
    let again = try store.prepare(sql, cached: true)
    let second = again.address
    #expect(second == first)
    #expect(!again.isRunning)
    try again.step()
    let value = try again.row.value(0)
    #expect(value == .null)
    let other = try store.prepare(sql, cached: true)
    let third = other.address
    #expect(third != second)
  }

  @Test("two spellings of a letter are two statements")
  func spellings() throws {
    for letter in ["é", "e\u{301}"] {
      #expect(try store.scalar("SELECT '\(letter)'") == .text(letter))
    }
  }

  @Test("more statements than are kept at rest do no harm")
  func manyCached() throws {
    for number in 0..<200 { #expect(try store.integer("SELECT \(number)") == Int64(number)) }
    try store.close()
  }

  @Test("one-line questions answer with the first value, or with nothing")
  func oneLine() throws {
    #expect(try store.scalar("SELECT v FROM t WHERE k = ?1", [.integer(2)]) == .text("b"))
    #expect(try store.scalar("SELECT v FROM t WHERE k = 9") == nil)
    #expect(try store.string("SELECT NULL") == nil)
    #expect(
      try store.rows("SELECT k, v FROM t") == [
        [.integer(1), .text("a")], [.integer(2), .text("b")],
      ])
    #expect(try store.run("UPDATE t SET v = ?1", [.text("c")]) == 2)
    #expect(store.changes == 2)
    try store.run("INSERT INTO t (v) VALUES (?1)", [.null])
    #expect(store.lastInsertRowID == 3)
    #expect(store.totalChanges == 5)
    var sum: Int64 = 0
    try store.query("SELECT k FROM t") { row in sum += row.integer(0) ?? 0 }
    #expect(sum == 6)
  }

  @Test("the wrong number of values is refused")
  func wrongCount() {
    #expect(sqliteError { try store.run("SELECT ?1, ?2", [.null]) }?.isMisuse == true)
  }

  @Test("a sound database has no problems", arguments: [FileCheck.quick, .full])
  func sound(check: FileCheck) throws {
    #expect(try store.problems(check) == [])
  }

  @Test("a schema whose check takes more steps than a statement may is checked all the same")
  func largeSchema() throws {
    let columns = (0..<1_500).map { "c\($0) VARCHAR" }.joined(separator: ", ")
    for number in 0..<40 { try store.execute("CREATE TABLE t\(number) (\(columns))") }
    #expect(try store.problems() == [])
    let error = sqliteError { _ = try store.rows("PRAGMA quick_check") }
    #expect(error?.isOutOfMemory == true)
  }
}
