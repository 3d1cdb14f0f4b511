import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("A later verification as text", .temporaryFolder)
struct TextVerificationSummaryTests {
  @Test("each difference has its object and what it is; what was saved since is reported as such")
  func text() async throws {
    let sample = try RunSample()
    try await sample.run()
    try SampleStore.change(
      sample.store,
      by: """
        UPDATE ZNOTE SET ZTITLE = 'x' WHERE Z_PK = 1;
        UPDATE ZNOTE SET ZTITLE = 'y', Z_OPT = 9 WHERE Z_PK = 2
        """)
    let summary = try await StoreVerification(store: sample.store).run()
    let text = TextVerificationSummary(summary, width: 200).text
    #expect(text.contains("Differences: 2; of objects made or saved after the run: 1\n"))
    #expect(text.contains("\n  Note 1  title  is not what the source's value becomes\n"))
    #expect(
      text.hasSuffix(
        "\n  Note 2  title  is not what the source's value becomes; "
          + "the object was saved again after the run"))
  }

  @Test("where nothing differs it says so, and whether anybody has written to the store")
  func same() async throws {
    let sample = try RunSample()
    try await sample.run()
    let summary = try await StoreVerification(store: sample.store).run()
    let text = TextVerificationSummary(summary, width: 400).text
    #expect(text.contains("it was not written to since\nbackup: "))
    #expect(!text.contains("Differences"))
  }

  @Test("where not all could be compared it does not call the store right")
  func nothing() async throws {
    let sample = try RunSample()
    try await sample.run()
    var summary = try await StoreVerification(store: sample.store).run()
    #expect(TextVerificationSummary(summary, width: 400).text.contains("is what the run"))
    #expect(summary.isSame)
    summary.isComplete = false
    #expect(!summary.isSame)
    let text = TextVerificationSummary(summary, width: 400).text
    #expect(text.contains("not all of it was compared"))
    #expect(!text.contains("is what the run"))
  }
}
