import CoreDataStore
import Testing

@Suite("Fetch index element")
struct FetchIndexElementTests {
  @Test(
    "an element says what it indexes and how, and knows its property",
    arguments: [
      (FetchIndexElement(subject: .property("a")), "a", "a"),
      (FetchIndexElement(subject: .property("a"), isAscending: false), "a descending", "a"),
      (FetchIndexElement(subject: .property("a"), kind: .rTree), "a r-tree", "a"),
      (FetchIndexElement(subject: .expression(.keyPath("a.b"))), "a.b", "a.b"),
      (
        FetchIndexElement(subject: .expression(.function("length:", [.keyPath("a")]))),
        "length:(a)", nil
      ),
    ])
  func words(element: FetchIndexElement, words: String, property: String?) {
    #expect(element.description == words)
    #expect(element.propertyName == property)
  }
}
