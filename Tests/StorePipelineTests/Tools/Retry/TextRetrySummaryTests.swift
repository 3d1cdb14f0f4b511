import StorePipeline
import TestSupport
import Testing

@Suite("Retried objects as text", .temporaryFolder)
struct TextRetrySummaryTests {
  @Test("what went in is counted, and what waits on is listed with its reason")
  func some() async throws {
    let sample = try RetrySample()
    try await sample.run(RetrySample.computing("Milk"))
    let text = TextRetrySummary(try await sample.retry(RetrySample.computing("Bread")), width: 300)
      .text
    #expect(text.contains("Note: 1 put in, 1 failed again\n"))
    #expect(text.contains("\nStill waiting: 1\n  Note 3  "))
    #expect(text.contains("a strange title"))
    #expect(text.contains("\nbackup: "))
  }

  @Test("where nothing waits it says so")
  func nothing() async throws {
    let sample = try RetrySample()
    try await sample.run(RetrySample.computing("Milk", "Bread", "Report"))
    let text = TextRetrySummary(try await sample.retry(), width: 300).text
    #expect(text.hasSuffix("Notes.sqlite: no object waits to be retried"))
  }
}
