import CoreDataStore
import StoreTestSupport
import Testing

@Suite("What Core Data infers")
struct InferenceRulesTests {
  @Test(
    "attributes: what Core Data infers and what it cannot",
    arguments: [
      ("", #"optional="YES" attributeType="Date""#, Change.added, true),
      ("", #"attributeType="Date""#, .added, false),
      ("", #"attributeType="String" defaultValueString="x""#, .added, true),
      ("", #"attributeType="Date" transient="YES""#, .added, true),
      (#"attributeType="Date""#, "", .removed, true),
      (#"attributeType="Date""#, #"attributeType="Date" optional="YES""#, .changed, true),
      (#"attributeType="Date" optional="YES""#, #"attributeType="Date""#, .changed, false),
      (
        #"attributeType="String" optional="YES""#,
        #"attributeType="String" defaultValueString="x""#, .changed, true
      ),
      (#"attributeType="Integer 16""#, #"attributeType="Integer 32""#, .changed, false),
      (#"attributeType="Date" transient="YES""#, #"attributeType="Date""#, .changed, false),
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
      (#"destinationEntity="Z""#, #"destinationEntity="Y""#, false),
      (#"destinationEntity="Z""#, #"deletionRule="Deny" destinationEntity="Z""#, true),
      (#"optional="YES" destinationEntity="Z""#, #"destinationEntity="Z""#, false),
    ])
  func relationships(before: String, after: String, isInferable: Bool) throws {
    let found = try #require(
      try ModelText.propertyDifference(
        "<relationship name=\"x\" \(before)/>", "<relationship name=\"x\" \(after)/>"))
    #expect(found.change == .changed)
    #expect(found.isInferable == isInferable)
  }
}
