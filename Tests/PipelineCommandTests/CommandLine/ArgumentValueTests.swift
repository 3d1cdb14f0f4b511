import Testing

@testable import pipeline

@Suite("Argument value")
struct ArgumentValueTests {
  @Test(
    "a whole number is digits, with a sign perhaps, and nothing else",
    arguments: [
      ("5", 5), ("-5", -5), ("ten", nil), ("5.0", nil), (" 5", nil), ("", nil),
      ("9223372036854775808", nil),
    ])
  func integer(text: String, value: Int?) { #expect(Int(argument: text) == value) }

  @Test("any text is a text") func text() { #expect(String(argument: "") == "") }

  @Test("a choice is one of its names, to the letter") func choice() {
    #expect(EveryKind.Form(argument: "html") == .html)
    #expect(EveryKind.Form(argument: "HTML") == nil)
    #expect(EveryKind.Form.expectation == "text, html or json")
  }
}
