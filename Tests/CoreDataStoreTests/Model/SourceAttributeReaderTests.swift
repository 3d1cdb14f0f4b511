import CoreDataStore
import Foundation
import StoreTestSupport
import Testing

@Suite("Attributes in XML")
struct SourceAttributeReaderTests {
  private func attribute(_ settings: String) throws -> Attribute {
    let model = try ModelText.model(
      "<entity name=\"A\"><attribute name=\"x\" \(settings)/></entity>")
    return try #require(model.entity(named: "A")?.attribute(named: "x"))
  }

  @Test(
    "defaults have the attribute's type",
    arguments: [
      ("Integer 16", "-7", ModelConstant.integer(-7)), ("Boolean", "YES", .boolean(true)),
      ("Boolean", "0", .boolean(false)), ("Double", "1.5", .real(1.5)),
      ("Decimal", "0.10", .decimal(Decimal(sign: .plus, exponent: -1, significand: 1))),
      ("String", "", .string("")), ("URI", "a:b", .uri("a:b")),
      ("Integer 64", "many", .integer(0)),
    ])
  func defaults(type: String, text: String, value: ModelConstant) throws {
    let settings = "attributeType=\"\(type)\" defaultValueString=\"\(text)\""
    #expect(try attribute(settings).defaultValue == value)
  }

  @Test("an empty default of anything but text is none")
  func emptyDefault() throws {
    #expect(try attribute("attributeType=\"Date\" defaultValueString=\"\"").defaultValue == nil)
    #expect(
      try attribute("attributeType=\"Date\" defaultDateTimeInterval=\"-978307200\"").defaultValue
        == .date(-978_307_200))
  }

  @Test("bounds are lengths for text and values for numbers and dates")
  func validation() throws {
    #expect(
      try attribute(
        """
        attributeType="String" maxValueString="9" minValueString="2"
        regularExpressionString="a+"
        """
      ).validation == [.minimumLength(2), .maximumLength(9), .matches("a+")])
    #expect(
      try attribute(#"attributeType="Integer 32" maxValueString="9""#).validation
        == [.maximum(.integer(9))])
    #expect(
      try attribute(#"attributeType="Date" minDateTimeInterval="100""#).validation
        == [.minimum(.date(100))])
  }
}
