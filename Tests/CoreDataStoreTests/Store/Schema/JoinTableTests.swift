import Testing

@testable import CoreDataStore

@Suite("One table of pairs") struct JoinTableTests {
  private static let tags = PropertyReference("Post", "tags")
  private static let posts = PropertyReference("Tag", "posts")

  private func table(
    _ inverse: PropertyReference = posts, places: (String?, String?) = (nil, nil)
  ) -> JoinTable {
    JoinTable(
      name: "Z_1TAGS", master: Self.tags, inverse: inverse, first: "Z_1POSTS", second: "Z_2TAGS",
      masterPosition: places.0, inversePosition: places.1)
  }

  @Test("each side sees its own keys first, any other relationship nothing")
  func sides() {
    let table = table(places: ("Z_FOK_2TAGS", nil))
    let master = table.storage(of: Self.tags)
    let inverse = table.storage(of: Self.posts)
    #expect(master?.source == "Z_1POSTS" && master?.destination == "Z_2TAGS")
    #expect(inverse?.source == "Z_2TAGS" && inverse?.destination == "Z_1POSTS")
    #expect(master?.position == "Z_FOK_2TAGS" && inverse?.position == nil)
    #expect(table.storage(of: PropertyReference("Tag", "tags")) == nil)
  }

  @Test("places stand after the keys, the inverse's first, and are no part of the key")
  func sql() {
    let table = table(places: ("M", "I"))
    #expect(table.columns == ["Z_1POSTS", "Z_2TAGS", "I", "M"])
    #expect(
      table.sql == "CREATE TABLE Z_1TAGS ( Z_1POSTS INTEGER, Z_2TAGS INTEGER, I INTEGER, "
        + "M INTEGER, PRIMARY KEY (Z_1POSTS, Z_2TAGS) )")
  }

  @Test("it is reflexive when a relationship is its own inverse")
  func reflexive() {
    #expect(table(Self.tags).isReflexive && !table().isReflexive)
    #expect(table(Self.tags).storage(of: Self.tags)?.source == "Z_1POSTS")
  }
}
