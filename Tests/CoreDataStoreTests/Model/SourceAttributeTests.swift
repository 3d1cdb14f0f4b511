import Testing

@testable import CoreDataStore

@Suite("Attributes as XML")
struct SourceAttributeTests {
  private func xml(_ type: AttributeType, _ change: (inout Attribute) -> Void) -> String {
    var attribute = Attribute(name: "x", type: type)
    change(&attribute)
    return SourceAttribute.element(attribute, composite: nil).text()
  }

  @Test("a bound of a text is a length, of a date an interval, of anything else a value")
  func bounds() {
    #expect(xml(.string) { $0.validation = [.minimumLength(2)] }.contains(#" minValueString="2""#))
    #expect(
      xml(.date) { $0.validation = [.maximum(.date(7))] }.contains(#" maxDateTimeInterval="7""#))
    #expect(
      xml(.integer16) { $0.validation = [.maximum(.integer(7))] }.contains(#" maxValueString="7""#))
  }

  @Test("a bound that the form has no place for is left out") func lost() {
    let text = xml(.string) { $0.validation = [.minimum(.string("a"))] }
    #expect(text == xml(.string) { _ in })
  }

  @Test("a count is written as Xcode has it") func derivation() {
    let text = xml(.integer64) {
      $0.derivation = Derivation(expression: .function("count:", [.keyPath("pages")]))
    }
    #expect(text.contains(#"derived="YES" derivationExpression="pages.@count""#))
  }
}
