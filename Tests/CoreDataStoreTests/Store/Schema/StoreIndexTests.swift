import Testing

@testable import CoreDataStore

@Suite("Indexes of a store") struct StoreIndexTests {
  private static let reference = PropertyReference("A", "r")

  @Test(
    "Core Data's own indexes say no collation, those of the model do",
    arguments: [
      (.relationship(reference), "CREATE INDEX i ON ZA (ZX, ZY)"),
      (.entityNumber, "CREATE INDEX i ON ZA (ZX, ZY)"), (.join, "CREATE INDEX i ON ZA (ZX, ZY)"),
      (
        .uniqueness(entity: "A"),
        "CREATE UNIQUE INDEX i ON ZA (ZX COLLATE BINARY ASC, ZY COLLATE BINARY ASC)"
      ),
      (
        .fetch(entity: "A", index: "i"),
        "CREATE INDEX i ON ZA (ZX COLLATE BINARY ASC, ZY COLLATE BINARY ASC)"
      ),
    ] as [(StoreIndex.Purpose, String)])
  func sql(purpose: StoreIndex.Purpose, sql: String) {
    let index = StoreIndex("i", on: "ZA", ["ZX", "ZY"], for: purpose)
    #expect(index.sql == sql)
    #expect(index.isUnique == (purpose == .uniqueness(entity: "A")))
  }

  @Test("directions and a condition are said")
  func descending() {
    let index = StoreIndex(
      "i", on: "ZA", ["ZX", "ZY"], for: .fetch(entity: "A", index: "i"), descending: [1],
      condition: "ZX NOT NULL")
    #expect(index.parts.map(\.isAscending) == [true, false])
    #expect(
      index.sql == "CREATE INDEX i ON ZA (ZX COLLATE BINARY ASC, ZY COLLATE BINARY DESC) "
        + "WHERE ZX NOT NULL")
  }
}
