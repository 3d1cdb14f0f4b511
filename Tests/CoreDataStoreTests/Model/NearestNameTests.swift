import CoreDataStore
import Testing

@Suite("The nearest name")
struct NearestNameTests {
  @Test(
    "a slip finds its name, something else does not",
    arguments: [
      ("Bookmrak", "Bookmark"), ("item", "Item"), ("Itm", "Item"), ("Zebra", nil), ("", nil),
    ])
  func nearest(name: String, expected: String?) {
    #expect(NearestName.to(name, among: ["Item", "Bookmark"]) == expected)
  }
}
