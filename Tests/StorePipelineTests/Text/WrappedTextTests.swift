import StorePipeline
import Testing

@Suite("Wrapped text")
struct WrappedTextTests {
  @Test(
    "text is broken at spaces",
    arguments: [
      ("one two three", 7, ["one two", "three"]), ("one two three", 80, ["one two three"]),
      ("a-very-long-word and", 6, ["a-very-long-word", "and"]), ("", 10, [""]),
      ("one\n\ntwo three", 5, ["one", "", "two", "three"]), ("  kept as is", 5, ["  kept as is"]),
    ])
  func wrapped(text: String, width: Int, lines: [String]) {
    #expect(text.wrapped(to: width) == lines)
  }

  @Test(
    "what continues a line is indented, and what may be copied is not broken",
    arguments: [
      ("one two three", 9, 0, "one two\n  three"), ("one two three", 9, 3, "one\n  two\n  three"),
      ("one two three", Int.max, 3, "one two three"), ("  kept as is", 5, 0, "  kept as is"),
      ("say `a b c` now", 9, 0, "say\n  `a b c`\n  now"),
      ("resume it: pipeline resume a b", 12, 0, "resume it:\n  pipeline resume a b"),
      ("one  two three", 10, 0, "one  two\n  three"),
      ("one two\nthree four", 8, 4, "one\n  two\nthree\n  four"),
    ])
  func hanging(text: String, width: Int, start: Int, broken: String) {
    #expect(text.hanging(to: width, after: start) == broken)
  }
}
