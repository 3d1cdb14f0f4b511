import CoreDataStore
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@Suite("Writing a model", .temporaryFolder)
struct ModelWriterTests {
  private func again(_ model: Model) throws -> (model: Model, losses: [String]) {
    let writer = try ModelWriter(model)
    return (
      try SourceModelReader.read(Array(writer.xml.utf8), name: model.name), writer.losses
    )
  }

  @Test("everything that XML can carry reads back equal")
  func everything() throws {
    let model = try ModelText.model(
      """
      <entity name="A" representedClassName="A&amp;B" isAbstract="YES" elementID="Old"
        versionHashModifier="2">
        <attribute name="d" optional="YES" attributeType="Date" defaultDateTimeInterval="12.5"
          minDateTimeInterval="1" maxDateTimeInterval="20"/>
        <attribute name="s" attributeType="String" minValueString="1" maxValueString="9"
          regularExpressionString="&lt;&quot;.*" defaultValueString="a&#10;b" indexed="YES"/>
        <attribute name="t" attributeType="Transformable" valueTransformerName="T"
          customClassName="C" versionHashModifier="x" elementID="u"/>
        <attribute name="b" attributeType="Binary" allowsExternalBinaryDataStorage="YES"
          preserveAfterDeletion="YES" transient="YES"/>
        <attribute name="n" optional="YES" attributeType="Integer 64" derived="YES"
          derivationExpression="r.@count"/>
        <attribute name="c" attributeType="Composite" composite="K"/>
        <relationship name="r" optional="YES" minCount="2" maxCount="5" ordered="YES"
          deletionRule="Cascade" destinationEntity="A" inverseName="q" inverseEntity="A">
          <userInfo><entry key="k" value="v"/></userInfo></relationship>
        <relationship name="q" maxCount="1" deletionRule="No Action" destinationEntity="A"
          inverseName="r" inverseEntity="A"/>
        <fetchedProperty name="f"><fetchRequest name="g" entity="A"
          predicateString="s == &quot;x&quot;"/></fetchedProperty>
        <fetchIndex name="i" partialIndexPredicate="s != nil">
          <fetchIndexElement property="s" type="RTree" order="descending"/></fetchIndex>
        <compoundIndexes><compoundIndex><index value="s"/></compoundIndex></compoundIndexes>
        <uniquenessConstraints><uniquenessConstraint><constraint value="s"/><constraint value="d"/>
          </uniquenessConstraint></uniquenessConstraints>
      </entity>
      <entity name="B" parentEntity="A"/>
      <composite name="K"><attribute name="in" attributeType="Composite" composite="L"/></composite>
      <composite name="L"><attribute name="z" attributeType="Double"/></composite>
      <fetchRequest name="all" entity="B"/>
      <configuration name="Main"><memberEntity name="B"/></configuration>
      """)
    let (written, losses) = try again(model)
    #expect(written == model)
    #expect(losses.isEmpty)
  }

  @Test("what XML cannot carry is named")
  func losses() throws {
    var attribute = Attribute(name: "x", type: .binary)
    attribute.defaultValue = .bytes([1])
    attribute.validation = [.minimumLength(3)]
    var entity = Entity(name: "A")
    entity.attributes = [attribute]
    let losses = try again(Model(name: "T", entities: [entity])).losses
    #expect(
      losses == [
        "A.x: default: <1 bytes>, now none", "A.x: validation: at least 3 long, now none",
      ])
  }

  @Test("what would give another hash is refused")
  func refused() throws {
    var attribute = Attribute(name: "x", type: .string)
    attribute.isReadOnly = true
    var entity = Entity(name: "A")
    entity.attributes = [attribute]
    let model = try Model(name: "T", entities: [entity])
    let error = #expect(throws: Failure.self) { try ModelWriter(model) }
    #expect(error?.subject == "model T, entity A")
  }

  @Test("the folder that is written is a model file, and nothing is overwritten")
  func folder() throws {
    let model = try ModelText.model("<entity name=\"A\"/>", name: "Out")
    let path = TemporaryFolder.url.appending(path: "Out.xcdatamodel").path
    try ModelWriter(model).write(to: path)
    #expect(try ModelFile(path).current == model)
    #expect(throws: Failure.self) { try ModelWriter(model).write(to: path) }
  }
}
