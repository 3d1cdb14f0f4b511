import CoreDataStore
import Testing

@Suite("Fetch index")
struct FetchIndexTests {
  @Test("an index is written with its elements and its condition") func words() {
    let index = FetchIndex(
      name: "i",
      elements: [
        FetchIndexElement(subject: .property("a")),
        FetchIndexElement(subject: .property("b"), isAscending: false),
      ], predicate: PredicateParser.predicate("a != nil"))
    #expect(index.description == "i (a, b descending) where a != nil")
    #expect(!index.isRTree)
  }

  @Test("one spatial element makes it a spatial index") func spatial() {
    let elements = [FetchIndexElement.Kind.rTree, .binary].map {
      FetchIndexElement(subject: .property("a"), kind: $0)
    }
    #expect(FetchIndex(name: "i", elements: elements).isRTree)
  }
}
