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

  @Test("a path at the beginning stays whole, with all of its spaces") func behind() {
    #expect("/a  b c (one two)".wrapped(to: 10, behind: 7) == ["/a  b c", "(one two)"])
    #expect("/a  b c".wrapped(to: 5, behind: 7) == ["/a  b c"])
    #expect("one two".wrapped(to: 5, behind: 0) == ["one", "two"])
    #expect("".wrapped(to: 5, behind: 0) == [""])
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
      ("cannot open: /a b/c d", 12, 0, "cannot open:\n  /a b/c d"),
      ("warning: /a b/c: one two three", 14, 0, "warning:\n  /a b/c: one\n  two three"),
      ("cannot run all: my a/b c\nIt is.", 16, 0, "cannot run all:\n  my a/b c\nIt is."),
    ])
  func hanging(text: String, width: Int, start: Int, broken: String) {
    #expect(text.hanging(to: width, after: start) == broken)
  }
}
