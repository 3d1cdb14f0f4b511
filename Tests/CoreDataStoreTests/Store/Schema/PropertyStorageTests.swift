import Testing

@testable import CoreDataStore

@Suite("What stands for a property") struct PropertyStorageTests {
  private static func column(_ name: String) -> StoreColumn {
    StoreColumn(name: name, type: .integer, role: .toOne(PropertyReference("A", "r")))
  }

  @Test(
    "only attributes and to-ones have columns in the entity's own table",
    arguments: [
      (.attribute(column("ZA")), ["ZA"]),
      (.toOne(ToOneStorage(key: column("ZR"), entity: nil, position: nil)), ["ZR"]),
      (
        .toOne(ToOneStorage(key: column("ZR"), entity: nil, position: column("Z_FOK_R"))),
        ["ZR", "Z_FOK_R"]
      ),
      (
        .toOne(
          ToOneStorage(key: column("ZR"), entity: column("Z1_R"), position: column("Z_FOK_R"))),
        ["ZR", "Z1_R", "Z_FOK_R"]
      ),
      (
        .toMany(ToManyStorage(table: "ZB", key: column("ZR"), position: nil, hasInverse: true)), []
      ),
      (.manyToMany(JoinStorage(table: "Z_1R", source: "a", destination: "b", position: nil)), []),
      (.notStored(.transient), []),
    ] as [(PropertyStorage, [String])])
  func columns(storage: PropertyStorage, names: [String]) {
    #expect(storage.columns.map(\.name) == names)
  }
}
