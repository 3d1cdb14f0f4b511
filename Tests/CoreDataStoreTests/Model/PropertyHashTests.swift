import StoreTestSupport
import Testing

@testable import CoreDataStore

@Suite("Hash of a property")
struct PropertyHashTests {
  @Test("an inverse that is the relationship itself does not enter, another one does")
  func inverses() throws {
    func person(_ inverse: String) throws -> VersionHash? {
      VersionHashes(
        of: try ModelText.model(
          """
          <entity name="Person">
            <relationship name="friends" toMany="YES" destinationEntity="Person" \(inverse)/>
            <relationship name="likedBy" toMany="YES" destinationEntity="Person"/>
          </entity>
          """)
      ).entities["Person"]
    }
    let own = try person(#"inverseName="friends" inverseEntity="Person""#)
    #expect(try own == person(""))
    #expect(try own != person(#"inverseName="likedBy" inverseEntity="Person""#))
  }

  @Test(
    "a derivation that is not proved is named, a proved one is computed",
    arguments: [
      ("name", true), ("maker.name", true), ("makers.@count", true), ("makers.@sum", false),
      ("now()", false), ("canonical:(name)", false), ("uppercase:(name)", false),
      ("name ++ name", false),
    ])
  func derivations(text: String, isProved: Bool) throws {
    let model = try ModelText.model(
      """
      <entity name="A">
        <attribute name="d" attributeType="String" derived="YES" derivationExpression="\(text)"/>
      </entity>
      """)
    let hashes = VersionHashes(of: model)
    #expect(hashes.uncertain.isEmpty == isProved)
    #expect((hashes.digest != nil) == isProved)
  }

  @Test(
    "an attribute whose type has no number is uncertain",
    arguments: [
      (AttributeType.composite, "x is a composite attribute"),
      (.unknown("2200"), "x has the unknown type 2200"),
    ])
  func types(type: AttributeType, reason: String) {
    guard case .uncertain(let why) = PropertyHash.of(Attribute(name: "x", type: type)) else {
      Issue.record("a hash was computed")
      return
    }
    #expect(why == reason)
  }

  @Test("a long derivation is cut short in the reason")
  func longDerivation() throws {
    let text = "now(" + Array(repeating: "name", count: 90).joined(separator: ", ") + ")"
    let model = try ModelText.model(
      "<entity name=\"A\"><attribute name=\"d\" attributeType=\"String\" derived=\"YES\" "
        + "derivationExpression=\"\(text)\"/></entity>")
    let why = try #require(VersionHashes(of: model).uncertain["A"])
    #expect(why.hasPrefix("d is derived by now(name, name") && why.hasSuffix("..."))
    #expect(why.count < 250)
  }

  @Test("a count beyond 32 bits is uncertain, and not cut off") func counts() throws {
    var relationship = Relationship(name: "r", destination: "A")
    relationship.maxCount = 1 << 32
    var entity = Entity(name: "A")
    entity.relationships = [relationship]
    let model = try Model(name: "M", entities: [entity])
    #expect(VersionHashes(of: model).uncertain["A"] == "r has a count beyond 32 bits")
  }
}
