import CoreDataStore
import StoreTestSupport
import Testing

private typealias M = SchemaModels

@Suite("Conditions of partial indexes") struct PartialIndexSQLTests {
  private func condition(_ predicate: String) throws -> (sql: String?, doubt: String?) {
    let escaped = predicate.replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    let schema = try M.schema(
      M.entity(
        "Note", M.attribute("title"), M.attribute("kind", "Integer 16"),
        M.attribute("size", "Double"), M.attribute("open", "Boolean"), M.attribute("day", "Date"),
        M.toOne("box", "Note"), M.index("some", "kind", "title", where: escaped)))
    return (schema.indexes.dropFirst().first?.condition, schema.doubts.first?.why)
  }

  @Test(
    "what is understood is exact",
    arguments: [
      ("title != nil", "ZTITLE IS NOT NULL"), ("title == nil", "ZTITLE IS NULL"),
      ("box != nil", "ZBOX IS NOT NULL"), ("kind == 3", "ZKIND = 3"), ("kind < -2", "ZKIND < -2"),
      ("kind <= 2", "ZKIND <= 2"), ("kind > 2", "ZKIND > 2"), ("kind >= 2", "ZKIND >= 2"),
      ("size > 0.5", "ZSIZE > 0.5"), ("open == YES", "ZOPEN = 1"),
      ("title == \"it's\"", "ZTITLE = 'it''s'"),
      ("title == \"a'\u{301}\"", "ZTITLE = 'a''\u{301}'"),
      ("title != nil AND kind == 1", "(ZTITLE IS NOT NULL AND ZKIND = 1)"),
      ("kind == 1 OR kind == 2 OR title = nil", "(ZKIND = 1 OR ZKIND = 2 OR ZTITLE IS NULL)"),
      (
        "title != nil AND (kind == 1 OR kind == 2)",
        "(ZTITLE IS NOT NULL AND (ZKIND = 1 OR ZKIND = 2))"
      ),
    ])
  func understood(predicate: String, sql: String) throws {
    #expect(try condition(predicate).sql == sql)
  }

  @Test(
    "what could mean something else is named",
    arguments: [
      "kind != 1", "NOT kind == 1", "title LIKE[c] 'a*'", "title ==[c] 'a'", "kind IN {1, 2}",
      "day > CAST(0, \"NSDate\")", "kind == size", "box.title == nil", "strange == 1",
      "title == 5", "TRUEPREDICATE",
    ])
  func named(predicate: String) throws {
    let (sql, doubt) = try condition(predicate)
    #expect(sql == nil)
    #expect(doubt != nil)
  }
}
