import CoreDataStore
import StoreTestSupport
import Testing

@Suite("Version hashes")
struct VersionHashesTests {
  private let user = """
    <entity name="User">
      <attribute name="name" attributeType="String"/>
      <attribute name="petName" optional="YES" attributeType="String"/>
    </entity>
    """

  private func hash(_ body: String, of entity: String = "User") throws -> String? {
    VersionHashes(of: try ModelText.model(body)).entities[entity]?.base64
  }

  @Test("the worked example of an entity with two attributes")
  func worked() throws {
    #expect(try hash(user) == "azH06XtpHRbEyCC65V+JQI1HATvUIVHs/eHqx/5L55g=")
  }

  @Test(
    "what does not enter the hash",
    arguments: [
      (#"name="User""#, #"name="User" representedClassName="Person""#),
      (#"name="User""#, #"name="User" elementID="Old""#),
      (#"attributeType="String"/>"#, #"attributeType="String" defaultValueString="x"/>"#),
      (#"attributeType="String"/>"#, #"attributeType="String" minValueString="2"/>"#),
      (#"attributeType="String"/>"#, #"attributeType="String" indexed="YES"/>"#),
      (
        "</entity>",
        #"<attribute name="now" transient="YES" attributeType="Date"/></entity>"#
      ),
      (
        "</entity>",
        """
        <fetchedProperty name="f"><fetchRequest name="r" entity="User"/></fetchedProperty>
        </entity>
        """
      ),
    ])
  func unchanged(part: String, replacement: String) throws {
    let changed = user.replacing(part, with: replacement)
    #expect(changed != user)
    #expect(try hash(changed) == hash(user))
  }

  @Test(
    "what enters the hash",
    arguments: [
      (#"name="User""#, #"name="User" isAbstract="YES""#),
      (#"name="User""#, #"name="User" versionHashModifier="2""#),
      (#"attributeType="String"/>"#, #"attributeType="Date"/>"#),
      (#"attributeType="String"/>"#, #"attributeType="String" versionHashModifier="2"/>"#),
      (#"attributeType="String"/>"#, #"attributeType="String" preserveAfterDeletion="YES"/>"#),
      (
        #"attributeType="String"/>"#,
        #"attributeType="String" allowsExternalBinaryDataStorage="YES"/>"#
      ),
      ("optional=\"YES\"", ""),
      (
        "</entity>",
        """
        <uniquenessConstraints><uniquenessConstraint><constraint value="name"/>\
        </uniquenessConstraint></uniquenessConstraints></entity>
        """
      ),
    ])
  func changed(part: String, replacement: String) throws {
    let changed = user.replacing(part, with: replacement)
    #expect(changed != user)
    #expect(try hash(changed) != hash(user))
  }

  @Test("the parent's hash enters its children's")
  func parents() throws {
    func family(_ modifier: String) -> String {
      "<entity name=\"A\" \(modifier)/><entity name=\"B\" parentEntity=\"A\"/>"
    }
    #expect(
      try hash(family(""), of: "B") != hash(family("versionHashModifier=\"1\""), of: "B"))
  }

  @Test("an unknown setting of a derivation makes it uncertain")
  func unknownSetting() throws {
    let model = try ModelText.model(
      """
      <entity name="A"><attribute name="d" attributeType="String" derived="YES"
        derivationExpression="name" derivationRule="x"/></entity>
      """)
    #expect(VersionHashes(of: model).uncertain["A"] == "d is derived with a filter")
  }

  @Test("uncertainty reaches the children, and a recorded hash takes its place")
  func recorded() throws {
    let body = """
      <entity name="A"><attribute name="x" attributeType="Hologram"/></entity>
      <entity name="B" parentEntity="A"/><entity name="C"/>
      """
    let model = try ModelText.model(body)
    #expect(VersionHashes(of: model).missing == ["A", "B"])
    let hash = try #require(VersionHash(bytes: [UInt8](repeating: 7, count: 32)))
    let known = try SourceModelReader.read(
      ModelText.xml(body), name: "Test", recordedHashes: ["A": hash, "B": hash])
    #expect(VersionHashes(of: known).missing.isEmpty)
    #expect(VersionHashes(of: known).entities["B"] == hash)
    let error = #expect(throws: Failure.self) {
      try SourceModelReader.read(
        ModelText.xml(body), name: "Test", recordedHashes: ["C": hash])
    }
    #expect(error?.subject == "model Test, entity C")
  }
}
