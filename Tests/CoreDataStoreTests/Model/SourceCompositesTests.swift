import CoreDataStore
import StoreTestSupport
import Testing

@Suite("Composites in XML")
struct SourceCompositesTests {
  @Test("composites within composites are unfolded")
  func composites() throws {
    let model = try ModelText.model(
      """
      <entity name="A"><attribute name="x" attributeType="Composite" composite="Outer"/></entity>
      <composite name="Outer">
        <attribute name="in" attributeType="Composite" composite="Inner"/></composite>
      <composite name="Inner"><attribute name="n" attributeType="Double"/></composite>
      """)
    let entity = model.entity(named: "A")
    #expect(entity?.attributes.map(\.name) == ["x.in.n"])
    #expect(entity?.composites.first?.elements.first?.elements.map(\.name) == ["n"])
  }

  @Test(
    "a composite that is not there or contains itself is refused",
    arguments: [
      (
        #"<entity name="A"><attribute name="x" attributeType="Composite" composite="Z"/></entity>"#,
        "composite Z is not in the model"
      ),
      (
        """
        <entity name="A"><attribute name="x" attributeType="Composite" composite="C"/></entity>
        <composite name="C">
        <attribute name="x" attributeType="Composite" composite="C"/></composite>
        """, "contains itself"
      ),
    ])
  func misfits(body: String, why: String) {
    let error = #expect(throws: Failure.self) { try ModelText.model(body) }
    #expect(error?.why.contains(why) == true)
  }

  @Test("composites that unfold into very many elements are refused")
  func compositeBomb() {
    let parts = (0..<7).map { level in
      let use = "attributeType=\"Composite\" composite=\"C\(level + 1)\"/>"
      let inner = (0..<10).map { "<attribute name=\"a\($0)\" \(use)" }.joined()
      return "<composite name=\"C\(level)\">\(inner)</composite>"
    }
    let entity = """
      <entity name="A"><attribute name="x" attributeType="Composite" composite="C0"/></entity>
      <composite name="C7"/>
      """
    let error = #expect(throws: Failure.self) { try ModelText.model(entity + parts.joined()) }
    #expect(error?.why.contains("unfold into more than 10000 elements") == true)
  }

  @Test("the elements of all attributes are counted together")
  func manyAttributes() {
    let use = "attributeType=\"Composite\" composite=\"C\"/>"
    let attributes = (0..<200).map { "<attribute name=\"x\($0)\" \(use)" }.joined()
    let elements = (0..<100).map { "<attribute name=\"a\($0)\" attributeType=\"String\"/>" }
    let error = #expect(throws: Failure.self) {
      try ModelText.model(
        """
        <entity name="A">\(attributes)</entity>
        <composite name="C">\(elements.joined())</composite>
        """)
    }
    #expect(error?.why.contains("unfold into more than 10000 elements") == true)
  }
}
