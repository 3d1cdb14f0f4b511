import CoreDataStore
import Formats
import StoreTestSupport
import Testing

@Suite("Validation of a compiled model")
struct CompiledValidationTests {
  /// The rules of an attribute with one predicate, which compares with a constant.
  private func rules(
    type: Int64, length: Bool = false, sign: Int64, _ bound: PropertyList
  ) throws -> [ValidationRule] {
    try CompiledSample.attribute(
      type,
      adding: { maker in
        let sign = maker.add("NSComparisonPredicateOperator", ["NSOperatorType": .integer(sign)])
        let value = maker.add(bound)
        let right = maker.add("NSConstantValueExpression", ["NSConstantValue": value])
        var left = maker.add("NSSelfExpression", [:])
        if length {
          let text = maker.add(.string("length"))
          let path = maker.add("NSKeyPathSpecifierExpression", ["NSKeyPath": text])
          let arguments = maker.add(list: [path])
          left = maker.add("NSKeyPathExpression", ["NSOperand": left, "NSArguments": arguments])
        }
        let predicate = maker.add(
          "NSComparisonPredicate",
          ["NSLeftExpression": left, "NSRightExpression": right, "NSPredicateOperator": sign])
        return ["NSValidationPredicates": maker.add(list: [predicate])]
      }
    ).validation
  }

  @Test(
    "a bound of the value itself has the attribute's type",
    arguments: [
      (300, 3, .integer(2), .minimum(.integer(2))), (500, 1, .integer(2), .maximum(.real(2))),
      (900, 3, .real(7), .minimum(.date(7))), (700, 6, .string("a+"), .matches("a+")),
    ] as [(Int64, Int64, PropertyList, ValidationRule)])
  func bounds(type: Int64, sign: Int64, bound: PropertyList, rule: ValidationRule) throws {
    #expect(try rules(type: type, sign: sign, bound) == [rule])
  }

  @Test("a bound of the length is one") func lengths() throws {
    #expect(try rules(type: 700, length: true, sign: 3, .integer(2)) == [.minimumLength(2)])
    #expect(try rules(type: 700, length: true, sign: 1, .integer(9)) == [.maximumLength(9)])
  }

  @Test("any other predicate is kept as one") func others() throws {
    #expect(
      try rules(type: 300, sign: 5, .integer(2)).map(\.description) == ["SELF != 2"])
  }
}
