import Testing

@testable import pipeline

@Suite("Columns")
struct ColumnsTests {
  @Test("a term that is too wide has a line of its own") func wide() {
    let columns = Columns(rows: [("short", "One."), ("a-term-wider-than-there-is-room", "Two.")])
    #expect(
      columns.lines(width: 80) == [
        "  short  One.", "  a-term-wider-than-there-is-room", "         Two.",
      ])
  }
}
