import CoreDataStore
import StoreTestSupport
import Testing

@Suite("Fetch indexes in XML")
struct SourceIndexReaderTests {
  private func index(_ body: String, _ more: String = "") throws -> FetchIndex? {
    let index = "<fetchIndex name=\"i\" \(more)>\(body)</fetchIndex>"
    return try ModelText.model("<entity name=\"A\">\(index)</entity>").entities[0].fetchIndexes
      .first
  }

  @Test(
    "an element is read with its kind and its direction",
    arguments: [
      (#"property="a" type="Binary" order="ascending""#, "a"),
      (#"property="a" order="descending""#, "a descending"),
      (#"expression="length:(a)" type="RTree""#, "length:(a) r-tree"),
    ])
  func element(settings: String, words: String) throws {
    #expect(try index("<fetchIndexElement \(settings)/>")?.elements.map(\.description) == [words])
  }

  @Test("its condition is read") func condition() throws {
    let predicate = try index("", "partialIndexPredicate=\"a != nil\"")?.predicate
    #expect(predicate == PredicateParser.predicate("a != nil"))
  }

  @Test("an element of nothing is refused") func empty() {
    let error = #expect(throws: Failure.self) { try index("<fetchIndexElement/>") }
    #expect(error?.why == "It names neither a property nor an expression.")
  }
}
