import Formats
import Testing

@Suite("Writing JSON")
struct JSONWriterTests {
  @Test(
    "a value is written",
    arguments: [
      (nil, "null"), (true, "true"), (0, "0"), (9_007_199_254_740_992, "9007199254740992"),
      (9_007_199_254_740_993, "\"9007199254740993\""),
      (-9_007_199_254_740_993, "\"-9007199254740993\""), (0.1, "0.1"), (1e300, "1e+300"),
      (.real(-0.0), "-0.0"), (.real(.nan), "\"nan\""), (.real(.infinity), "\"inf\""),
      (.real(-.infinity), "\"-inf\""), ("", "\"\""),
      (
        "a\"\\/\n\r\t\u{1}\u{1f}\u{7f}é\u{1f600}",
        "\"a\\\"\\\\/\\n\\r\\t\\u0001\\u001f\\u007fé\u{1f600}\""
      ),
      ("\u{9b}\u{202e}\u{2028}\u{200b}\u{e0041}", "\"\\u009b\\u202e\\u2028\\u200b\\udb40\\udc41\""),
      ([], "[]"), ([:], "{}"), ([1, [2]], "[1,[2]]"), (["b": 1, "a": [:]], "{\"b\":1,\"a\":{}}"),
    ] as [(JSONValue, String)])
  func compact(value: JSONValue, text: String) {
    #expect(value.text() == text)
  }

  @Test("a document that is data has only what must be spelled out spelled out") func data() {
    let text = JSONValue.string("\u{1}\u{200d}\u{7f}").text(isData: true)
    #expect(text == "\"\\u0001\u{200d}\u{7f}\"")
  }

  @Test("the pretty form has a line a value and two spaces a level")
  func pretty() {
    let value: JSONValue = ["format": 1, "list": [1, ["x": nil]], "none": [], "empty": [:]]
    let expected = """
      {
        "format": 1,
        "list": [
          1,
          {
            "x": null
          }
        ],
        "none": [],
        "empty": {}
      }
      """
    #expect(value.text(.pretty) == expected)
  }

  @Test(
    "a double comes back bit for bit",
    arguments: [0.1, 1 / 3, .pi, .leastNonzeroMagnitude, .greatestFiniteMagnitude])
  func exact(number: Double) throws {
    #expect(try JSONValue(reading: Array(JSONValue.real(number).text().utf8)) == .real(number))
  }

  @Test("an integer written as a string is still an integer to its reader")
  func large() throws {
    let text = JSONValue.integer(.min).text()
    #expect(try JSONValue(reading: Array(text.utf8)).integer == .min)
  }
}
