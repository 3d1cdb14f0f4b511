import CoreDataStore
import Formats
import Foundation
import StoreTestSupport
import Testing

@Suite("Hostile model files")
struct HostileModelTests {
  private let body = """
    <entity name="A" isAbstract="YES"><attribute name="x" attributeType="Composite" composite="C"/>
      <relationship name="r" destinationEntity="A" inverseName="r" maxCount="1"/>
      <fetchIndex name="i" partialIndexPredicate="x == 1 AND (y &lt; 2 OR z IN {1, 2})">
        <fetchIndexElement property="x" type="Binary" order="ascending"/></fetchIndex></entity>
    <entity name="B" parentEntity="A"><attribute name="d" attributeType="String" derived="YES"
      derivationExpression="r.@count"/></entity>
    <composite name="C"><attribute name="n" attributeType="Double"/></composite>
    """

  @Test("XML cut short anywhere is one error")
  func truncated() {
    let xml = ModelText.xml(body)
    for length in stride(from: 0, to: xml.count - 8, by: 16) {
      #expect(throws: Failure.self) {
        try SourceModelReader.read(Array(xml[..<length]), name: "T")
      }
    }
  }

  @Test("XML with a bit flipped is a model or one error")
  func flipped() {
    let xml = ModelText.xml(body)
    for place in 0..<xml.count {
      var bytes = xml
      bytes[place] ^= UInt8(1 << (place % 8))
      do {
        _ = VersionHashes(of: try SourceModelReader.read(bytes, name: "T"))
      } catch {
        #expect(error is Failure)
      }
    }
  }

  @Test("many relationships that are their own inverses are read at once")
  func manyRelationships() throws {
    let settings = "destinationEntity=\"A\" maxCount=\"1\""
    let relationships = (0..<5_000).map {
      "<relationship name=\"r\($0)\" inverseName=\"r\($0)\" \(settings)/>"
    }
    let model = try ModelText.model("<entity name=\"A\">\(relationships.joined())</entity>")
    #expect(VersionHashes(of: model).missing.isEmpty)
  }

  @Test("many relationships inherited by very many generations are hashed once each")
  func deepInheritance() throws {
    let entities = (0..<199).map { number in
      let parent = number == 0 ? "" : " parentEntity=\"E\(number - 1)\""
      let relationships = (0..<14).map {
        "<relationship name=\"r\(number)_\($0)\" destinationEntity=\"E0\" maxCount=\"1\"/>"
      }
      return "<entity name=\"E\(number)\"\(parent)>\(relationships.joined())</entity>"
    }
    let model = try ModelText.model(entities.joined())
    #expect(VersionHashes(of: model).entities.count == 199)
  }

  @Test("ten thousand nested elements are refused")
  func deepXML() {
    let open = String(repeating: "<entity name=\"A\">", count: 10_000)
    let close = String(repeating: "</entity>", count: 10_000)
    #expect(throws: Failure.self) { try ModelText.model(open + close) }
  }

  @Test("a predicate nested ten thousand deep is named, not followed", arguments: ["(", "NOT "])
  func deepPredicate(opening: String) {
    let text = String(repeating: opening, count: 10_000) + "x == 1"
    #expect(PredicateParser.predicate(text).unreadable != nil)
  }

  @Test("what is no archive is one error", arguments: [0, 1, 8, 40, 500])
  func noArchive(size: Int) {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    #expect(throws: Failure.self) { try CompiledModelReader.read(bytes, name: "T") }
    #expect(throws: Failure.self) { try CompiledModelReader.readCache(bytes, name: "T") }
  }

  @Test("an archive of something else is one error")
  func otherArchive() throws {
    let list = PropertyList.dictionary([
      "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
      "$top": .dictionary(["root": .uid(1)]),
      "$objects": .array([.string("$null"), .string("hello")]),
    ])
    let error = #expect(throws: Failure.self) {
      try CompiledModelReader.read(BinaryPropertyListWriter.write(list), name: "T")
    }
    #expect(error?.why.contains("no data model") == true)
  }

  @Test("entities that share one long list of properties are refused")
  func sharedProperties() throws {
    let error = try CompiledSample.refusal { maker in
      let name = maker.add(.string("x"))
      let attribute = maker.add("NSAttributeDescription", ["NSPropertyName": name])
      let keys = (0..<3_000).map { maker.add(.string("p\($0)")) }
      let properties = maker.add(
        "NSDictionary",
        ["NS.keys": .array(keys), "NS.objects": .array(Array(repeating: attribute, count: 3_000))])
      return sharing("NSProperties", properties, &maker)
    }
    #expect(error?.why.contains("unfolds into more than any") == true)
  }

  @Test("entities that share one long list of user info are refused")
  func sharedUserInfo() throws {
    let error = try CompiledSample.refusal { maker in
      let text = maker.add(.string("v"))
      let keys = Array(repeating: text, count: 3_000)
      let info = maker.add(
        "NSDictionary", ["NS.keys": .array(keys), "NS.objects": .array(keys)])
      return sharing("NSUserInfo", info, &maker)
    }
    #expect(error?.why.contains("unfolds into more than any") == true)
  }

  /// A thousand entities with the same value under a key.
  private func sharing(
    _ key: String, _ value: PropertyList, _ maker: inout ArchiveMaker
  ) -> [String: PropertyList] {
    let names = (0..<1_000).map { "E\($0)" }
    let pairs = names.map { name in
      let text = maker.add(.string(name))
      return (name, maker.add("NSEntityDescription", ["NSEntityName": text, key: value]))
    }
    return Dictionary(pairs) { first, _ in first }
  }
}
