import Testing

@testable import CoreDataStore

@Suite("Parts of a model's XML")
struct SourcePartsTests {
  @Test("a relationship says only what is not taken for granted") func relationship() {
    var relationship = Relationship(name: "r", destination: "A")
    #expect(
      SourceParts.element(relationship).text()
        == "<relationship name=\"r\" toMany=\"YES\" deletionRule=\"Nullify\" "
        + "destinationEntity=\"A\"/>\n")
    (relationship.maxCount, relationship.inverseName) = (1, "q")
    #expect(
      SourceParts.element(relationship).text()
        == "<relationship name=\"r\" maxCount=\"1\" deletionRule=\"Nullify\" "
        + "destinationEntity=\"A\" inverseName=\"q\"/>\n")
  }

  @Test("lists of names are nested, and no lists are no element") func lists() {
    #expect(SourceParts.lists([], "outer", "inner", "item") == nil)
    let text = SourceParts.lists([["a", "b"]], "outer", "inner", "item")?.text() ?? ""
    #expect(
      text.filter { !" \n".contains($0) }
        == "<outer><inner><itemvalue=\"a\"/><itemvalue=\"b\"/></inner></outer>")
  }

  @Test("an index element says property or expression, kind and direction") func index() {
    let elements = [
      FetchIndexElement(subject: .property("a"), isAscending: false),
      FetchIndexElement(subject: .expression(.keyPath("b")), kind: .rTree),
    ]
    let text = SourceParts.element(FetchIndex(name: "i", elements: elements)).text()
    #expect(
      text.contains("<fetchIndexElement property=\"a\" type=\"Binary\" order=\"descending\"/>"))
    #expect(
      text.contains("<fetchIndexElement expression=\"b\" type=\"RTree\" order=\"ascending\"/>"))
  }
}
