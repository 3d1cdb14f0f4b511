import Testing

@testable import Benchmarks

@Suite("Tables of text") struct TextTableTests {
  @Test("the first column stands to the left, numbers to the right, no blanks at the end")
  func alignment() {
    var table = TextTable(["", "ratio", "note"])
    table.add(["short", "1.00", "a"])
    table.add(["much longer", "12.3", "of two"])
    #expect(
      table.text(lastIsText: true) == """
                     ratio  note
        short         1.00  a
        much longer   12.3  of two
        """)
    #expect(table.text().split(separator: "\n")[1] == "short         1.00       a")
  }

  @Test("a page aligns the columns in the same way")
  func markdown() {
    var table = TextTable(["", "ratio", "note"])
    table.add(["short", "1.00", "a"])
    #expect(
      table.markdown(lastIsText: true) == """
        |  | ratio | note |
        | --- | --: | --- |
        | short | 1.00 | a |
        """)
    #expect(table.markdown().split(separator: "\n")[1] == "| --- | --: | --: |")
  }
}
