import StorePipeline
import Testing

@Suite("Model hash report as text")
struct TextModelHashReportTests {
  @Test("an entity a line, then the digests; what is not known says so") func lines() throws {
    let report = try ModelHashReportTests.uncertain(recorded: false)
    let lines = TextModelHashReport(report).text.split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 5)
    #expect(lines[0] == "Odd    unknown")
    #expect(lines[1].wholeMatch(of: /Plain  \S{44}/) != nil)
    #expect(lines[2...] == ["", "digest    unknown", "checksum  unknown"])
  }
}
