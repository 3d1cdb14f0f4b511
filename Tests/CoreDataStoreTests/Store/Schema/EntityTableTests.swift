import CoreDataStore
import StoreTestSupport
import Testing

private typealias M = SchemaModels

@Suite("Entity tables") struct EntityTableTests {
  @Test("the statement is Core Data's, with the key first and types in groups")
  func sql() throws {
    let table = try M.schema(
      M.entity("Item", M.attribute("a"), M.attribute("b", "Date"), M.attribute("c", "Boolean"))
    ).tables[0]
    #expect(
      table.sql == "CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
        + "ZC INTEGER, ZB TIMESTAMP, ZA VARCHAR )")
  }

  @Test("a column is found by its name as it is written")
  func column() throws {
    let table = try M.schema(M.entity("Item", M.attribute("a"))).tables[0]
    #expect(table.column(named: "ZA")?.property == PropertyReference("Item", "a"))
    #expect(table.column(named: "za") == nil)
  }
}
