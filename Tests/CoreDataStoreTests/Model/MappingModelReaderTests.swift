import CoreDataStore
import Formats
import Foundation
import TestSupport
import StoreTestSupport
import Testing

@Suite("Reading mapping models", .temporaryFolder)
struct MappingModelReaderTests {
  private func read(_ body: String) throws -> MappingModel {
    try MappingModelReader.read(Array("<database>\(body)</database>".utf8))
  }

  private let top = """
    <object type="XDDEVMAPPINGMODEL" id="m">
      <relationship name="entitymappings" idrefs="e2 e1"></relationship></object>
    <object type="XDDEVENTITYMAPPING" id="e2">
      <attribute name="destinationname">New</attribute>
      <attribute name="mappingnumber">2</attribute></object>
    """

  /// A mapping of the entity A whose attribute x has this value expression.
  private func mapping(_ value: String) throws -> EntityMapping {
    let mapping = try read(
      top + """
        <object type="XDDEVENTITYMAPPING" id="e1"><attribute name="mappingnumber">1</attribute>
          <attribute name="sourcename">A</attribute><attribute name="destinationname">B</attribute>
          <relationship name="attributemappings" idrefs="p"></relationship></object>
        <object type="XDDEVATTRIBUTEMAPPING" id="p"><attribute name="name">x</attribute>
          <attribute name="valueexpressiondata">\(value)</attribute></object>
        """)
    #expect(mapping.entities.map(\.name) == ["AToB", "New"])
    return mapping.entities[0]
  }

  @Test("nothing said is the source's property of the same name")
  func defaults() throws {
    let entity = try mapping("")
    #expect(entity.kind == .transform)
    #expect(
      entity.attributes == [PropertyMapping(name: "x", value: .source("x"), isExplicit: false)])
  }

  @Test("a constant")
  func constant() throws {
    var maker = ArchiveMaker()
    let text = maker.add(.string("hello"))
    let root = maker.add("NSConstantValueExpression", ["NSConstantValue": text])
    let entity = try mapping(Base64.encode(maker.bytes(root: root)))
    #expect(entity.attributes.map(\.value) == [.constant(.string("hello"))])
  }

  @Test("an expression of another kind keeps its text")
  func other() throws {
    var maker = ArchiveMaker()
    let selector = maker.add(.string("uppercase:"))
    let root = maker.add("NSFunctionExpression", ["NSSelectorName": selector])
    let entity = try mapping(Base64.encode(maker.bytes(root: root)))
    #expect(entity.attributes.map(\.value) == [.other(.function("uppercase:", []))])
  }

  @Test(
    "what is damaged is named",
    arguments: [
      ("", "holds no mapping model"),
      (
        """
        <object type="XDDEVMAPPINGMODEL" id="m"><relationship name="entitymappings" idrefs="q"/>
        </object>
        """,
        "object q, which is not there"
      ),
      (
        """
        <object type="XDDEVMAPPINGMODEL" id="m"><relationship name="entitymappings" idrefs="e"/>
        </object><object type="XDDEVENTITYMAPPING" id="e"/>
        """, "neither from nor to"
      ),
      (
        """
        <object type="XDDEVMAPPINGMODEL" id="m"><relationship name="entitymappings" idrefs="e e"/>
        </object><object type="XDDEVENTITYMAPPING" id="e">
        <attribute name="sourcename">A</attribute></object>
        """, "object e, which was named before"
      ),
      (
        """
        <object type="XDDEVMAPPINGMODEL" id="m"><relationship name="entitymappings" idrefs="e f"/>
        </object><object type="XDDEVENTITYMAPPING" id="e">
        <attribute name="sourcename">A</attribute>
        <relationship name="attributemappings" idrefs="p"/></object>
        <object type="XDDEVENTITYMAPPING" id="f"><attribute name="sourcename">B</attribute>
        <relationship name="attributemappings" idrefs="p"/></object>
        <object type="XDDEVATTRIBUTEMAPPING" id="p"><attribute name="name">x</attribute></object>
        """, "object p, which was named before"
      ),
    ])
  func damaged(body: String, why: String) {
    let error = #expect(throws: Failure.self) { try read(body) }
    #expect(error?.why.contains(why) == true)
  }

  @Test("an expression that is no archive is named")
  func badExpression() {
    let error = #expect(throws: Failure.self) { try mapping("AAAA") }
    #expect(error?.subject.contains("object p") == true)
  }

  @Test("a compiled mapping model is refused with the way out")
  func compiled() {
    let error = #expect(throws: Failure.self) { try MappingModelFile("/x/App.cdm") }
    #expect(error?.remedy.contains(".xcmappingmodel") == true)
    #expect(throws: Failure.self) { try MappingModelFile("/x/App.xcmappingmodel") }
  }
}
