import StorePipeline
import Testing

@Suite("A list of stores")
struct StoreListTests {
  @Test(
    "paths are parted by line ends, or by NUL where there is one",
    arguments: [
      ("a\nb c\n", ["a", "b c"]), ("a\n\n b", ["a", " b"]), ("", []), ("\n", []),
      ("a\nb\0c\0", ["a\nb", "c"]), ("a\0", ["a"]), ("a\r\nb", ["a\r", "b"]),
    ])
  func paths(text: String, expected: [String]) {
    #expect(StoreList.paths(in: text) == expected)
  }
}
