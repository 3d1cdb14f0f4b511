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
        "Book", derived("amount", expression), M.attribute("title"),
        M.toMany("pages", "Page", inverse: "book")),
      M.entity("Page", M.toOne("book", "Book", inverse: "pages")))
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
    try store.connection.execute(attribute.fill)
    #expect(
      try store.connection.rows("SELECT ZAMOUNT FROM ZBOOK ORDER BY Z_PK")
        == [[.integer(2)], [.integer(0)]])
    try store.make(.indexes)
    try store.make(.triggers)
    #expect(try Schema(of: store.connection).objects(of: .trigger).count == 5)
  }

  @Test(
    "triggers that are not known are named, not made",
    arguments: ["now()", "canonical:(title)", "title", "pages.number.@sum"])
  func named(expression: String) throws {
    let schema = try schema(expression)
    #expect(schema.triggers.isEmpty)
    #expect(schema.doubts.map(\.subject) == ["derived attribute Book.amount"])
    #expect(schema.table(named: "ZBOOK")?.column(named: "ZAMOUNT") != nil)
  }

  @Test("a count in an entity with a parent is named: how Z_ENT enters is not known")
  func subentity() throws {
    let schema = try M.schema(
      M.entity("Base"),
      M.entity(
        "Book", parent: "Base", derived("amount", "pages.@count"),
        M.toMany("pages", "Page", inverse: "book")),
      M.entity("Page", M.toOne("book", "Book", inverse: "pages")))
    #expect(schema.triggers.isEmpty)
    #expect(schema.doubts.count == 1)
  }
}
