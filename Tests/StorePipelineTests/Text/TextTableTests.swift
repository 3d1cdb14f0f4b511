import Testing

@testable import StorePipeline

@Suite("Text table")
struct TextTableTests {
  @Test("columns are aligned, and numbers stand at the right") func aligned() {
    var table = TextTable(indent: 1, numbers: [1])
    table.add("a", "7", "one")
    table.add("bcd", "1,234", "two")
    #expect(table.lines(width: 80) == [" a        7  one", " bcd  1,234  two"])
  }

  @Test("the last column wraps below itself") func wraps() {
    var table = TextTable()
    table.add("name", "some words that need two lines")
    #expect(table.lines(width: 26) == ["name  some words that need", "      two lines"])
  }

  @Test("a path in the last column is not broken") func path() {
    var table = TextTable()
    table.add("name", "/some folder of/a  store (verified)", whole: 24)
    #expect(table.lines(width: 26) == ["name  /some folder of/a  store", "      (verified)"])
  }

  @Test("a cell that is too wide has the rest of its row below") func wide() {
    let long = String(repeating: "x", count: TextTable.widest + 1)
    var table = TextTable()
    table.add("a", "b")
    table.add(long, "c")
    #expect(table.lines(width: 80) == ["a  b", long, "   c"])
  }

  @Test("the first word of a row is painted, and nothing without colour") func painted() {
    var table = TextTable()
    table.add("", "word", "more", tint: .bad)
    #expect(table.lines(width: 80, Style(isOn: true)) == ["  \u{1B}[31mword\u{1B}[0m  more"])
    #expect(table.lines(width: 80) == ["  word  more"])
  }

  @Test("control characters in a cell do not reach the terminal") func control() {
    var table = TextTable()
    table.add("a\u{1B}[31m", "b\nc")
    #expect(table.lines(width: 80) == ["a\\u{1B}[31m  b\\nc"])
  }
}
