import Testing

@testable import CoreDataStore

@Suite("The order of an entity's properties")
struct PropertyKeyOrderTests {
  private static let hashes: [(name: String, hash: UInt32, places: [UInt32])] = [
    ("_ent", 2_053_296_458, [4, 1, 17, 53]), ("_pk", 515_045_925, [9, 2, 30, 41]),
    ("_opt", 2_064_533_526, [0, 5, 10, 15]), ("name", 2_082_354_421, [4, 17, 9, 49]),
    ("trustedClients", 2_449_085_419, [0, 17, 29, 48]),
    ("trustedByClients", 786_105_768, [8, 15, 17, 61]),
    ("ignoredClients", 432_191_944, [8, 2, 38, 2]),
    ("ignoredByClients", 2_243_044_741, [3, 9, 13, 48]),
    ("aVeryLongRelationshipNameHere", 1_165_121_472, [9, 7, 36, 48]),
  ]

  @Test("comes from a number of each name", arguments: hashes)
  func hash(name: String, hash: UInt32, places: [UInt32]) {
    #expect(KeyHash.shortened(name) == hash)
    #expect([11, 23, 41, 67].map { KeyHash.shortened(name) % $0 } == places)
  }

  @Test("is that of a table that was filled in the order of one that grew")
  func tables() {
    let gathered = GrowingKeyTable(
      "_ent _pk _opt b a favorites favoriteFolders title _ZPARENT parent children uuid"
        .split(separator: " ").map(String.init)
    ).keys
    #expect(
      gathered.joined(separator: " ")
        == "a _ent b parent uuid _pk _opt favorites children title _ZPARENT favoriteFolders")
    #expect(
      FixedKeyTable(gathered).keys.joined(separator: " ")
        == "_ent _pk a _opt title b favorites _ZPARENT parent children uuid favoriteFolders")
  }

  @Test("keeps the place of a name that comes twice, and knows names of any length")
  func edges() {
    #expect(GrowingKeyTable(["a", "b", "a"]).keys.sorted() == ["a", "b"])
    #expect(FixedKeyTable([]).keys.isEmpty)
    let long = (0..<2000).map { String(repeating: "ä", count: 120) + String($0) }
    #expect(Set(FixedKeyTable(GrowingKeyTable(long).keys).keys) == Set(long))
  }
}
