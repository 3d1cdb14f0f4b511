import CoreDataStore
import StoreTestSupport
import Testing

private typealias M = SchemaModels

@Suite("History tables") struct HistoryTablesTests {
  @Test("there are as many slots for deleted values as the entity with the most of them needs")
  func tombstones() throws {
    let kept = "preserveAfterDeletion=\"YES\""
    let model = try ModelText.model(
      M.entity("Base", M.attribute("a", "String", kept))
        + M.entity("Child", parent: "Base", M.attribute("b", "String", kept))
        + M.entity("Other", M.attribute("c")))
    let history = HistoryTables(for: model)
    #expect(history.tombstones == 2)
    #expect(history.tables[0].hasSuffix("ZCOLUMNS BLOB, ZTOMBSTONE0 BLOB, ZTOMBSTONE1 BLOB )"))
  }
}
