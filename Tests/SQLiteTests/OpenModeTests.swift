import SQLite
import TestSupport
import Testing

@Suite("Guards of a file that others made", .temporaryFolder) struct OpenModeTests {
  /// A store whose schema tries to act.
  private func hostile(_ sql: String) throws -> String {
    let store = try makeStore(file("hostile.sqlite"))
    try store.execute(sql)
    try store.close()
    return file("hostile.sqlite")
  }

  @Test("a trigger does not run")
  func trigger() throws {
    let path = try hostile(
      """
      CREATE TABLE log (x);
      CREATE TRIGGER g AFTER DELETE ON t BEGIN INSERT INTO log VALUES (1); END
      """
    )
    let store = try Connection(path: path, mode: .foreignWritable)
    try store.execute("DELETE FROM t")
    #expect(try store.integer("SELECT count(*) FROM log") == 0)
    var mode = OpenMode.foreignWritable
    mode.guards.triggers = true
    try store.close()
    let trusting = try Connection(path: path, mode: mode)
    try trusting.execute("INSERT INTO t (v) VALUES (1); DELETE FROM t")
    #expect(try trusting.integer("SELECT count(*) FROM log") == 1)
  }

  @Test("a view that looks like a table cannot be read")
  func view() throws {
    let path = try hostile("CREATE VIEW ZPERSON AS SELECT k AS Z_PK FROM t")
    let store = try Connection(path: path, mode: .foreign)
    #expect(sqliteError { _ = try store.integer("SELECT count(*) FROM ZPERSON") } != nil)
    #expect(try Schema(of: store).table("ZPERSON") == nil)
  }

  @Test("a view of endless work, where views are allowed, is stopped by the watchdog")
  func endlessView() throws {
    let path = try hostile(
      """
      CREATE VIEW ZPERSON AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
      SELECT i AS Z_PK FROM n
      """)
    var mode = OpenMode.foreign
    mode.guards.views = true
    let store = try Connection(path: path, mode: mode)
    let error = sqliteError {
      try store.withDeadline(.milliseconds(50)) {
        _ = try store.integer("SELECT count(*) FROM ZPERSON")
      }
    }
    #expect(error?.isInterrupted == true)
    #expect(error?.message.contains("had not ended") == true)
    #expect(try store.integer("SELECT count(*) FROM t") == 3)
  }

  @Test(
    "what could harm the process or the file is refused",
    arguments: [
      "SELECT load_extension('x')",
      "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = ''",
      "SELECT fts3_tokenizer('x', x'00')", "CREATE TABLE sqlite_x (y)",
    ])
  func forbidden(sql: String) throws {
    let store = try Connection(path: try hostile(""), mode: .foreignWritable)
    #expect(sqliteError { try store.execute(sql) } != nil)
  }

  @Test("the pragmas and limits are those of the house")
  func settings() throws {
    let store = try Connection(path: try hostile(""), mode: .foreign)
    #expect(try store.integer("PRAGMA trusted_schema") == 0)
    #expect(try store.integer("PRAGMA cell_size_check") == 1)
    #expect(try store.integer("PRAGMA mmap_size") ?? 0 == 0)
    let deep = String(repeating: "(", count: 200) + "1" + String(repeating: ")", count: 200)
    let long = "SELECT '" + String(repeating: "x", count: 1_048_576) + "'"
    let sum = "SELECT 1" + String(repeating: "+ k", count: 150) + " FROM t"
    #expect(sqliteError { _ = try store.prepare(long) }?.isTooBig == true)
    #expect(sqliteError { _ = try store.prepare(sum) } != nil)
    #expect(sqliteError { _ = try store.prepare("SELECT " + deep) } != nil)
    #expect(sqliteError { _ = try store.scalar("SELECT zeroblob(100000001)") }?.isTooBig == true)
  }

  @Test("a misspelt column in double quotes is an error, not a string")
  func doubleQuotes() throws {
    let store = try Connection(path: try hostile(""), mode: .foreign)
    #expect(sqliteError { _ = try store.scalar("SELECT \"nothing\" FROM t") } != nil)
  }

  @Test("at most two files are attached")
  func attached() throws {
    let memory = try Connection(inMemory: .own)
    for name in ["a", "b", "c"] { try makeStore(file(name)).close() }
    try memory.attach(file("a"), as: "a", .readOnly)
    try memory.attach(file("b"), as: "b", .readOnly)
    #expect(sqliteError { try memory.attach(file("c"), as: "c", .readOnly) } != nil)
    _ = try Connection(path: file("c"), mode: .foreign)
  }
}
