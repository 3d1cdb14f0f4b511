import StorePipeline
import Testing

@Suite("A list of stores")
struct StoreListTests {
  @Test(
    "paths are separated by line ends, those of Windows too, or by NUL where there is one",
    arguments: [
      ("a\nb c\n", ["a", "b c"]), ("a\n\n b", ["a", " b"]), ("", []), ("\n", []),
      ("a\nb\0c\0", ["a\nb", "c"]), ("a\0", ["a"]), ("a\r\n\r\nb\r\n", ["a", "b"]),
      ("a\r\0", ["a\r"]), ("\u{FEFF}a\nb\n", ["a", "b"]), ("\u{FEFF}a\0", ["\u{FEFF}a"]),
    ])
  func paths(text: String, expected: [String]) {
    #expect(StoreList.paths(in: text) == expected)
  }

  @Test(
    "a list that is written is read as the same paths, whatever characters their names have",
    arguments: [
      (["a", "b c"], "a\nb c\n"), (["a\nb", "c"], "a\nb\0c\0"), (["a\r"], "a\r\0"), ([], ""),
    ])
  func written(paths: [String], text: String) {
    #expect(StoreList.text(paths) == text)
    #expect(StoreList.paths(in: text) == paths)
  }

  @Test(
    "each line has its place, the empty ones too",
    arguments: [
      ("a\n\nb\n", ["a", "", "b"]), ("\na", ["", "a"]), ("", []), ("\n", [""]),
      ("a\0\0b\0", ["a", "", "b"]),
    ])
  func lines(text: String, expected: [String]) {
    #expect(StoreList.lines(in: text) == expected)
  }
}
