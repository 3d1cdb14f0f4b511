import Testing

@testable import StorePipeline

@Suite("The part of a text that is shown")
struct TextWindowTests {
  @Test("what is short enough stays whole")
  func short() {
    #expect(TextWindow.cut("one", "two", limit: 3) == ("one", "two"))
    #expect(TextWindow.cut("one", limit: 3) == "one")
  }

  @Test("a long text ends in an ellipsis")
  func long() {
    #expect(TextWindow.cut("abcdef", limit: 4) == "abcd…")
  }

  @Test("of two long texts the part stays in which they differ, with a little before it")
  func differing() {
    let common = String(repeating: "a", count: 100)
    let (old, new) = TextWindow.cut(common + "old end", common + "new end", limit: 20)
    #expect(old == "…aaaaaold end")
    #expect(new == "…aaaaanew end")
  }

  @Test("texts that differ at once are shown from their beginning")
  func early() {
    let long = String(repeating: "b", count: 50)
    #expect(TextWindow.cut("a" + long, "c", limit: 8) == ("abbbbbbb…", "c"))
  }

  @Test("where one text ends in what they have in common, its end is shown")
  func cutShort() {
    let common = String(repeating: "a", count: 100)
    let (old, new) = TextWindow.cut(common + "bbbb", common, limit: 20)
    #expect(old == "…aaaaabbbb")
    #expect(new == "…aaaaa")
  }

  @Test("a character of several scalars is not torn")
  func clusters() {
    let family = "👨‍👩‍👧"
    #expect(TextWindow.cut(String(repeating: family, count: 3), limit: 2) == family + family + "…")
  }
}
