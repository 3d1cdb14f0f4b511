import StoreTestSupport
import Testing

@testable import CoreDataStore

@Suite("A model as an XML document")
struct SourceDocumentTests {
  @Test("composites stand once, at the end of the entities, however many attributes use them")
  func composites() throws {
    let model = try ModelText.model(
      """
      <entity name="A"><attribute name="x" attributeType="Composite" composite="K"/>
        <attribute name="y" attributeType="Composite" composite="K"/></entity>
      <composite name="K"><attribute name="n" attributeType="Double"/></composite>
      """)
    var document = SourceDocument(model)
    let text = document.text()
    #expect(text.split(separator: "<composite ").count == 2)
    #expect(text.split(separator: " composite=\"K\"").count == 3)
    let entity = try #require(text.firstRange(of: "</entity>"))
    let composite = try #require(text.firstRange(of: "<composite "))
    #expect(entity.upperBound < composite.lowerBound)
  }

  @Test("it begins as Xcode's documents do") func start() throws {
    var document = SourceDocument(try Model(name: "M", entities: [], versionIdentifiers: ["7"]))
    let text = document.text()
    #expect(
      text.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<model "))
    #expect(text.contains(" userDefinedModelVersionIdentifier=\"7\"/>"))
  }
}
