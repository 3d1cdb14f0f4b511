import CoreDataStore
import Foundation
import Testing

@Suite("Constants as text")
struct ModelConstantTextTests {
  @Test(
    "a text means what its attribute's type says, and is kept where it does not fit",
    arguments: [
      ("-7", .integer16, .integer(-7)), ("many", .integer64, .integer(0)),
      ("true", .boolean, .boolean(true)), ("0", .boolean, .boolean(false)),
      ("maybe", .boolean, .boolean(false)), ("-007", .boolean, .boolean(true)),
      (" yes", .boolean, .boolean(true)), ("+0", .boolean, .boolean(false)),
      ("1.5", .double, .real(1.5)),
      ("0.1", .float, .real(Double(Float(0.1)))), ("12.5", .date, .date(12.5)),
      ("a:b", .uri, .uri("a:b")), ("", .string, .string("")), ("", .date, nil),
      ("x", .transformable, .string("x")),
    ] as [(String, AttributeType, ModelConstant?)])
  func read(text: String, type: AttributeType, value: ModelConstant?) {
    #expect(ModelConstant(text: text, type: type) == value)
  }

  @Test(
    "what an archive keeps loosely becomes the value of its type",
    arguments: [
      (.integer(1), .boolean, .boolean(true)), (.boolean(true), .integer32, .integer(1)),
      (.integer(2), .double, .real(2)), (.real(3), .integer16, .integer(3)),
      (.real(3.5), .integer16, .real(3.5)), (.real(7), .date, .date(7)),
      (.integer(2), .decimal, .decimal(2)), (.string("a:b"), .uri, .uri("a:b")),
      (.string("1"), .integer16, .string("1")), (.null, .boolean, .null),
    ] as [(ModelConstant, AttributeType, ModelConstant)])
  func normalized(value: ModelConstant, type: AttributeType, normal: ModelConstant) {
    #expect(value.normalized(for: type) == normal)
  }

  @Test(
    "a value is written as it is read, without a needless fraction",
    arguments: [
      (.real(2), "2"), (.date(12.5), "12.5"), (.boolean(false), "NO"), (.integer(-1), "-1"),
      (.string("x"), "x"), (.null, nil), (.bytes([1]), nil), (.object("C"), nil),
    ] as [(ModelConstant, String?)])
  func written(value: ModelConstant, text: String?) { #expect(value.text == text) }

  @Test(
    "a decimal number is all of its text",
    arguments: [
      ("1.50", "1.5"), ("-2e3", "-2000"), ("1.5 apples", nil), ("0x10", nil), ("nan", nil),
      ("1,5", nil), ("", nil),
    ])
  func decimal(text: String, number: String?) {
    #expect(Decimal(plain: text)?.description == number)
  }
}
