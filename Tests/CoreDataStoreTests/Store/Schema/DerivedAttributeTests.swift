import CoreDataStore
import Foundation
import SQLite
import StoreTestSupport
import TestSupport
import Testing

private typealias M = SchemaModels

@Suite("Derived attributes", .temporaryFolder) struct DerivedAttributeTests {
  private func derived(_ name: String, _ expression: String) -> String {
    M.attribute(
      name, "Integer 64", "derived=\"YES\" derivationExpression=\"\(expression)\"")
  }

  private func schema(_ expression: String) throws -> StoreSchema {
    try M.schema(
      M.entity(
        "Book", derived("amount", expression), M.attribute("title"), M.toOne("first", "Page"),
        M.toMany("pages", "Page", inverse: "book"),
        M.toMany("readers", "Reader", inverse: "books")),
      M.entity(
        "Page", M.attribute("number", "Integer 64"), M.toOne("book", "Book", inverse: "pages")),
      M.entity("Reader", M.toMany("books", "Book", inverse: "readers")))
  }

  @Test("a count is computed from the rows there are")
  func fill() throws {
    let schema = try schema("pages.@count")
    let attribute = try #require(schema.derivedAttributes.first)
    #expect(attribute.triggers.count == 5)
    #expect(schema.doubts.isEmpty)
    let path = TemporaryFolder.url.appending(path: "a.sqlite").path
    let store = try NewStore(at: path, schema: schema)
    try store.make(.tables)
    try store.connection.execute(
      """
      INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1);
      INSERT INTO ZPAGE (Z_PK, Z_ENT, Z_OPT, ZBOOK)
      VALUES (1, 2, 1, 1), (2, 2, 1, 1), (3, 2, 1, NULL);
      """)
    guard case .sql(let value) = attribute.value else {
      Issue.record("a count is SQL")
      return
    }
    try store.connection.execute(attribute.fill(value))
    #expect(
      try store.connection.rows("SELECT ZAMOUNT FROM ZBOOK ORDER BY Z_PK")
        == [[.integer(2)], [.integer(0)]])
    try store.make(.indexes)
    try store.make(.triggers)
    #expect(try Schema(of: store.connection).objects(of: .trigger).count == 5)
  }

  @Test(
    "triggers that are not known are named, not made",
    arguments: ["title", "noindex:(title)", "average:(pages.number)"])
  func named(expression: String) throws {
    let schema = try schema(expression)
    #expect(schema.triggers.isEmpty)
    #expect(schema.doubts.map(\.subject) == ["derived attribute Book.amount"])
    #expect(schema.table(named: "ZBOOK")?.column(named: "ZAMOUNT") != nil)
  }

  @Test(
    "each kind has the triggers by which Core Data keeps it",
    arguments: [
      ("now()", ["ZBOOK_Book_amount_INSERT", "ZBOOK_Book_amount_UPDATE"]),
      ("canonical:(title)", ["ZBOOK_Book_amount_INSERT", "ZBOOK_Book_amount_UPDATE"]),
      (
        "first.number",
        [
          "ZBOOK_Book_amount_SOURCE_INSERT", "ZBOOK_Book_amount_SOURCE_UPDATE",
          "ZPAGE_Book_amount_PARAMETER_INSERT", "ZPAGE_Book_amount_PARAMETER_UPDATE",
        ]
      ),
      (
        "pages.number.@sum",
        [
          "ZPAGE_Book_amount_PARAMETER_INSERT", "ZPAGE_Book_amount_PARAMETER_UPDATE_INCREMENT",
          "ZPAGE_Book_amount_PARAMETER_UPDATE_DECREMENT", "ZPAGE_Book_amount_PARAMETER_DELETE",
          "ZBOOK_Book_amount_SOURCE_INSERT",
        ]
      ),
      (
        "max:(pages.number)",
        [
          "ZPAGE_Book_amount_INSERT", "ZPAGE_Book_amount_UPDATE_SET",
          "ZPAGE_Book_amount_UPDATE_UNSET", "ZPAGE_Book_amount_DELETE", "ZBOOK_Book_amount_INSERT",
        ]
      ),
      (
        "readers.@count",
        [
          "Z_1READERS_Book_amount_PARAMETER_INSERT", "Z_1READERS_Book_amount_PARAMETER_DELETE",
          "ZBOOK_Book_amount_SOURCE_INSERT",
        ]
      ),
    ])
  func triggers(expression: String, names: [String]) throws {
    let schema = try schema(expression)
    #expect(schema.doubts.isEmpty)
    #expect(schema.triggers.map(\.name) == names.map { "Z_DA_\($0)" })
    // SQLite takes them, as they are written.
    let connection = try Connection(inMemory: .own)
    for sql in schema.tables.map(\.sql) + schema.joinTables.map(\.sql) + schema.triggers.map(\.sql)
    {
      try connection.execute(sql)
    }
    #expect(try Schema(of: connection).objects(of: .trigger).count == names.count)
  }

  @Test("in an entity with a parent every condition looks at the entity's number")
  func subentity() throws {
    let schema = try M.schema(
      M.entity("Base"),
      M.entity(
        "Book", parent: "Base", derived("amount", "pages.@count"),
        M.toMany("pages", "Page", inverse: "book")),
      M.entity("Page", M.toOne("book", "Book", inverse: "pages")))
    #expect(schema.triggers.count == 5)
    #expect(schema.triggers.allSatisfy { $0.sql.contains("Z_ENT = 2") })
    #expect(schema.derivedAttributes.map(\.condition) == ["t.Z_ENT BETWEEN 2 AND 2"])
  }
}
