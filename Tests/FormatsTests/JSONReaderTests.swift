import Formats
import Testing

@Suite("Reading JSON")
struct JSONReaderTests {
  private static func read(_ text: String) throws -> JSONValue {
    try JSONValue(reading: Array(text.utf8))
  }

  @Test(
    "a value is read",
    arguments: [
      ("null", nil), (" true\n", true), ("[]", []), ("{ }", [:]), ("0", 0), ("-0", 0),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .real(9_223_372_036_854_775_808)), ("1.0", 1.0), ("1e2", 100.0),
      ("-1.5E-3", -0.0015), ("\"\"", ""), (#""\"\\\/\b\f\n\r\té""#, "\"\\/\u{8}\u{c}\n\r\té"),
      (#""\u0041\u00e9\ud83d\ude00""#, "Aé\u{1f600}"),
      ("[1,[2,{\"a\":[]}]]", [1, [2, ["a": []]]]),
    ] as [(String, JSONValue)])
  func values(text: String, value: JSONValue) throws {
    #expect(try Self.read(text) == value)
  }

  @Test("members keep their order")
  func order() throws {
    let value = try Self.read(#"{"z": 1, "a": 2}"#)
    #expect(value.members?.map(\.name) == ["z", "a"])
    #expect(value["a"] == 2 && value["b"] == nil)
  }

  @Test(
    "what is not JSON is refused",
    arguments: [
      "", " ", "nul", "nulll", "01", "-", "+1", ".5", "1.", "1e", "1e+", "0x1", "NaN", "1 2",
      "[1,]",
      "[1", "[,1]", "[1 2]", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{\"a\":1,\"a\":2}",
      "'a'", "\"", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\ud800\"", "\"\\udc00\"",
      "\"\\ud800\\u0041\"", "\"a\nb\"", "\"\u{0}\"", "1e999", "// no\n1", "\u{feff}1",
    ])
  func refused(text: String) {
    #expect(throws: FormatError.self) { try Self.read(text) }
  }

  @Test("an error says line and column")
  func place() {
    let expected = FormatError(.json, "not a value", at: .position(line: 2, column: 7))
    #expect(throws: expected) { try Self.read("{\n \"é\": x}") }
  }

  @Test("bytes that are not UTF-8 are refused")
  func encoding() {
    #expect(throws: FormatError(.json, "not UTF-8")) { try JSONValue(reading: [0x22, 0xff, 0x22]) }
  }

  @Test("a nesting of 100,000 levels is refused", arguments: ["[", "{\"a\":"])
  func deep(open: String) {
    #expect(throws: FormatError.self) { try Self.read(String(repeating: open, count: 100_000)) }
  }

  @Test("every truncation is an error, and every bit turned an error or a value")
  func damage() throws {
    let text = #"{"a": [1, -2.5e3, "x\n\u00e9\ud83d\ude00"], "b": {"c": null, "d": true}}"#
    let sample = Array(text.utf8)
    let value = try Self.read(text)
    let outcomes = damaged(sample).map { try? JSONValue(reading: $0) }
    #expect(outcomes.prefix(sample.count).allSatisfy { $0 == nil })
    #expect(outcomes.contains { $0 != nil && $0 != value })
  }
}
