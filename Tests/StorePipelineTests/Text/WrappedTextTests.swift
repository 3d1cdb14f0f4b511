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
}
