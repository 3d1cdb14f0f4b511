import StoreMigration
import Testing

@Suite("What to write into a pipeline file") struct SnippetTextTests {
  @Test(
    "a name that Lua does not have stands in brackets",
    arguments: [
      ("size", "size"), ("_2", "_2"), ("größe", "[\"größe\"]"), ("end", "[\"end\"]"),
      ("place.city", "[\"place.city\"]"), ("2nd", "[\"2nd\"]"),
    ])
  func keys(name: String, key: String) {
    let written = SnippetText.map("E", name, "0")
    #expect(written == "map { entity = \"E\", attributes = { \(key) = 0 } }")
  }
}
