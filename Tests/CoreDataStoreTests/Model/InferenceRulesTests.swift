import CoreDataStore
import StoreTestSupport
import Testing

@Suite("What Core Data infers")
struct InferenceRulesTests {
  @Test(
    "attributes: what Core Data infers and what it cannot",
    arguments: [
      ("", #"optional="YES" attributeType="Date""#, Change.added, true),
      ("", #"attributeType="Date""#, .added, true),
      ("", #"attributeType="String" defaultValueString="x""#, .added, true),
      ("", #"attributeType="Date" transient="YES""#, .added, true),
      (#"attributeType="Date""#, "", .removed, true),
      (#"attributeType="Date""#, #"attributeType="Date" optional="YES""#, .changed, true),
      (#"attributeType="Date" optional="YES""#, #"attributeType="Date""#, .changed, true),
      (
        #"attributeType="String" optional="YES""#,
        #"attributeType="String" defaultValueString="x""#, .changed, true
      ),
      (#"attributeType="Integer 16""#, #"attributeType="Integer 32""#, .changed, true),
      (#"attributeType="Decimal""#, #"attributeType="Boolean""#, .changed, true),
      (#"attributeType="Date""#, #"attributeType="Double""#, .changed, false),
      (#"attributeType="Date" transient="YES""#, #"attributeType="Date""#, .changed, true),
    ])
  func attributes(before: String, after: String, change: Change, isInferable: Bool) throws {
    func text(_ settings: String) -> String {
      settings.isEmpty ? "" : "<attribute name=\"x\" \(settings)/>"
    }
    let found = try #require(try ModelText.propertyDifference(text(before), text(after)))
    #expect(found.change == change)
    #expect(found.isInferable == isInferable)
    #expect(isInferable || found.why?.isEmpty == false)
  }

  @Test(
    "relationships: what Core Data infers and what it cannot",
    arguments: [
      (#"maxCount="1" destinationEntity="Z""#, #"destinationEntity="Z""#, true),
      (#"destinationEntity="Z""#, #"maxCount="1" destinationEntity="Z""#, false),
      (#"destinationEntity="Z""#, #"ordered="YES" destinationEntity="Z""#, true),
      (#"destinationEntity="Z""#, #"destinationEntity="Y""#, true),
      (#"destinationEntity="Z""#, #"deletionRule="Deny" destinationEntity="Z""#, true),
      (#"optional="YES" destinationEntity="Z""#, #"destinationEntity="Z""#, true),
    ])
  func relationships(before: String, after: String, isInferable: Bool) throws {
    let found = try #require(
      try ModelText.propertyDifference(
        "<relationship name=\"x\" \(before)/>", "<relationship name=\"x\" \(after)/>"))
    #expect(found.change == .changed)
    #expect(found.isInferable == isInferable)
  }

  @Test(
    "what Core Data infers and looks for in the objects, with its number and reason",
    arguments: [
      ("", #"<attribute name="x" attributeType="Date"/>"#, "134110", "destination attribute"),
      (
        #"<attribute name="x" attributeType="Date" optional="YES"/>"#,
        #"<attribute name="x" attributeType="Date"/>"#, "134110", "destination attribute"
      ),
      (
        "", #"<relationship name="x" maxCount="1" destinationEntity="Z"/>"#, "134110",
        "destination relationship"
      ),
      (
        "", #"<relationship name="x" minCount="1" destinationEntity="Z"/>"#, "134110",
        "missing relationship values"
      ),
      ("", #"<relationship name="x" destinationEntity="Z"/>"#, nil, ""),
    ])
  func conditions(before: String, after: String, number: String?, reason: String) throws {
    let found = try #require(try ModelText.propertyDifference(before, after))
    #expect(found.isInferable)
    #expect(found.condition == nil || found.why?.contains(found.condition ?? "") == true)
    #expect((found.condition?.contains(number ?? "-") == true) == (number != nil))
    #expect(found.condition?.contains(reason) != false)
  }

  /// An attribute, or a relationship, `x` with these settings.
  private static func x(_ settings: String, transforms: Bool = false) -> String {
    guard transforms else { return "<attribute name=\"x\" optional=\"YES\" \(settings)/>" }
    return """
      <attribute name="x" optional="YES" \(settings)><userInfo>
      <entry key="NSMigrationAllowTypeTransformation" value="1"/></userInfo></attribute>
      """
  }

  private static let external = "attributeType=\"Binary\" allowsExternalBinaryDataStorage=\"YES\""
  private static let binary = "attributeType=\"Binary\""
  private static let transformed = "attributeType=\"Transformable\""

  private static let refused: [(before: String, after: String, reason: String)] = [
    (
      x("attributeType=\"String\""), x("attributeType=\"Integer 16\""),
      "134190: Source and destination attribute types are incompatible"
    ),
    (
      "<relationship name=\"x\" destinationEntity=\"Z\"/>",
      "<relationship name=\"x\" maxCount=\"1\" destinationEntity=\"Z\"/>",
      "134190: Can not map from a to-many to a to-one relationship"
    ),
    (
      x(external), x(binary),
      "134190: Unable to use inferred mapping to move external reference into store."
    ),
    (
      x("attributeType=\"String\""),
      x("attributeType=\"String\" defaultValueString=\"a\"", transforms: true),
      "134190: Type Transformation expects NSTransformableAttributeType or "
        + "NSBinaryDataAttributeType"
    ),
    (
      x(external), x(transformed, transforms: true),
      "134190: Type Transformation expects NSBinaryDataAttributeType NOT to be stored externally"
    ),
  ]

  @Test("what Core Data refuses, in its own words", arguments: refused)
  func refusals(before: String, after: String, reason: String) throws {
    let found = try #require(try ModelText.propertyDifference(before, after))
    #expect(!found.isInferable && found.obstacle?.contains(reason) == true)
  }

  @Test("data may become an object of a transformer where the new attribute says so")
  func transformation() throws {
    let found = try #require(
      try ModelText.propertyDifference(
        Self.x(Self.binary), Self.x(Self.transformed, transforms: true)))
    #expect(found.isInferable)
  }

  @Test("entities that share a renaming identifier are refused, and so are merged roots")
  func entities() throws {
    let twins = try ModelText.difference(
      #"<entity name="A"/>"#, #"<entity name="A"/><entity name="B" elementID="A"/>"#)
    #expect(!twins.isInferable)
    #expect(
      twins.entities.contains {
        $0.obstacle?.contains("Each destination entity must have a unique") == true
      })
    let merged = try ModelText.difference(
      #"<entity name="A"/><entity name="B"/>"#,
      #"<entity name="P"/><entity name="A" parentEntity="P"/>"#
        + #"<entity name="B" parentEntity="P"/>"#)
    #expect(
      merged.entities.contains {
        $0.obstacle?.contains("Cannot merge multiple root entity source tables") == true
      })
  }

  @Test("a to-one that is the inverse of a relationship that led to one object")
  func inverseOfOne() throws {
    let difference = try ModelText.difference(
      #"<entity name="A"><relationship name="r" optional="YES" maxCount="1""#
        + #" destinationEntity="B"/></entity><entity name="B"/>"#,
      #"<entity name="A"><relationship name="r" optional="YES" destinationEntity="B""#
        + #" inverseName="s" inverseEntity="B"/></entity>"#
        + #"<entity name="B"><relationship name="s" optional="YES" maxCount="1""#
        + #" destinationEntity="A" inverseName="r" inverseEntity="A"/></entity>"#)
    let found = try #require(difference.entities.first { $0.name == "B" }?.properties.first)
    #expect(found.obstacle?.contains("A to-one's inverse to-many source must be") == true)
  }
}
