import SQLite
import TestSupport
import Testing

@Suite("Schemas") struct SchemaTests {
  private let store: Connection

  init() throws {
    store = try Connection(inMemory: .own)
    try store.execute(
      """
      CREATE TABLE "my table" (
        Z_PK INTEGER PRIMARY KEY, a VARCHAR NOT NULL DEFAULT 'x', b FLOAT UNIQUE,
        c AS (a || b), d AS (b * 2) STORED);
      CREATE INDEX i ON "my table" (a COLLATE NOCASE DESC, lower(a)) WHERE b > 0;
      CREATE VIEW v AS SELECT a FROM "my table";
      CREATE TRIGGER g AFTER DELETE ON "my table" BEGIN SELECT 1; END;
      CREATE VIRTUAL TABLE r USING rtree(id, x0, x1);
      """)
  }

  @Test("every kind of object is distinguished")
  func kinds() throws {
    let schema = try Schema(of: store)
    #expect(schema.objects(of: .view).map(\.name) == ["v"])
    #expect(schema.objects(of: .trigger).map(\.table) == ["my table"])
    #expect(schema.objects(of: .virtualTable).map(\.name) == ["r"])
    #expect(schema.indexes(of: "my table").map(\.name) == ["sqlite_autoindex_my table_1", "i"])
    #expect(schema.indexes(of: "my table").map { $0.sql == nil } == [true, false])
    #expect(schema.table("my table")?.rootPage ?? 0 > 0)
    #expect(schema.table("v") == nil && schema.table("r") == nil && schema.table("MY TABLE") == nil)
  }

  @Test("columns come with their types, and generated ones are seen")
  func columns() throws {
    let columns = try store.columns(of: "my table")
    #expect(columns.map(\.name) == ["Z_PK", "a", "b", "c", "d"])
    #expect(columns.map(\.type) == ["INTEGER", "VARCHAR", "FLOAT", "", ""])
    #expect(
      columns.map(\.kind) == [.normal, .normal, .normal, .virtualGenerated, .storedGenerated])
    #expect(columns.map(\.primaryKeyPosition) == [1, 0, 0, 0, 0])
    #expect(columns[1].isNotNull && columns[1].defaultValue == "'x'")
  }

  @Test("an object of a schema has the same columns, unless it is no ordinary table")
  func columnsOfObject() throws {
    let schema = try Schema(of: store)
    let table = try #require(schema.table("my table"))
    #expect(try store.columns(of: table, in: schema) == store.columns(of: "my table"))
    for object in schema.objects where object.kind != .table {
      #expect(sqliteError { _ = try store.columns(of: object, in: schema) } != nil)
    }
  }

  @Test("indexes come with order, collation and what makes them partial")
  func indexes() throws {
    let indexes = try store.indexes(of: "my table")
    let made = try #require(indexes.first { $0.name == "i" })
    #expect(made.isPartial && !made.isUnique && made.origin == .createIndex)
    #expect(made.columns.map(\.name) == ["a", nil, nil])
    #expect(made.columns.map(\.tableColumn) == [1, -2, -1])
    #expect(made.columns.map(\.isDescending) == [true, false, false])
    #expect(made.columns.map(\.collation) == ["NOCASE", "BINARY", "BINARY"])
    #expect(made.columns.map(\.isKey) == [true, true, false])
    let automatic = try #require(indexes.first { $0.name != "i" })
    #expect(automatic.isUnique && automatic.origin == .unique && !automatic.isPartial)
  }

  @Test(
    "what is no ordinary table is not asked for columns", arguments: ["v", "r", "i", "none", ""])
  func notTables(name: String) {
    #expect(sqliteError { _ = try store.columns(of: name) } != nil)
    #expect(sqliteError { _ = try store.indexes(of: name) } != nil)
  }

  @Test("an attached schema is read under its own name", .temporaryFolder)
  func attached() throws {
    try makeStore(file("a")).close()
    try store.attach(file("a"), as: "x y", .readOnly)
    #expect(try Schema(of: store, "x y").objects.map(\.name) == ["t"])
    #expect(try store.columns(of: "t", in: "x y").map(\.name) == ["k", "v"])
  }

  private struct Undone: Error {}

  @Test("a schema that has changed is read again, also when the change is undone")
  func changes() throws {
    #expect(try Schema(of: store).table("later") == nil)
    #expect(throws: Undone.self) {
      try store.transaction {
        try store.execute("CREATE TABLE later (a)")
        #expect(try Schema(of: store).table("later") != nil)
        throw Undone()
      }
    }
    #expect(try Schema(of: store).table("later") == nil)
    try store.execute("CREATE TABLE later (b)")
    #expect(try store.columns(of: "later").map(\.name) == ["b"])
    try store.execute("ALTER TABLE later RENAME COLUMN b TO c")
    #expect(try store.columns(of: "later").map(\.name) == ["c"])
  }

  @Test("a table has the columns of its own statement, whatever others have that name")
  func sameNames() throws {
    let other = try Connection(inMemory: .own)
    try other.execute(#"CREATE TABLE "my table" (e, f)"#)
    #expect(try other.columns(of: "my table").map(\.name) == ["e", "f"])
    #expect(try store.columns(of: "my table").map(\.name) == ["Z_PK", "a", "b", "c", "d"])
    #expect(try other.columns(of: "my table").map(\.name) == ["e", "f"])
  }
}
