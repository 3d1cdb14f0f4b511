import Testing

@testable import StorePipeline

@Suite("What a run says of itself in a report")
struct RunFactsTests {
  private func sections(_ summary: RunSummary) -> [DifferenceReport.Section] {
    RunFacts(summary: summary).urgent + RunFacts(summary: summary).closing
  }

  private func section(_ title: String, _ summary: RunSummary) -> DifferenceReport.Section? {
    sections(summary).first { $0.title == title }
  }

  @Test("rules, warnings, objects and figures are tables of their own") func everything() {
    let summary = RunSummarySample.everything()
    let rules = section("Rules that are broken", summary)
    #expect(rules?.rows == [["Memo 7", "title", "has no value", "yes"]])
    #expect(rules?.note == "And 11 more.")
    #expect(section("What needs a person's eye", summary)?.rows == [["a warning"]])
    let objects = section("How the objects travelled", summary)
    #expect(objects?.rows.last == ["Note → Memo", "1,200", "1,197", "3", "scripted"])
    let figures = section("The run", summary)?.rows ?? []
    #expect(figures.contains(["Backup", "Notes.sqlite.pipeline/backups/1"]))
    #expect(figures.contains(["Outcome", "swapped"]))
  }

  @Test("of a sample it says how large the whole is") func sample() {
    var summary = RunSummarySample.everything()
    summary.entities[0].objectsInAll = 9_000
    let objects = section("How the objects travelled", summary)
    #expect(objects?.columns.last == "In the whole store")
    #expect(objects?.rows.first?.last == "9,000")
  }

  @Test("what there is not has no table") func nothing() {
    var summary = RunSummarySample.everything()
    (summary.failures, summary.failureCount, summary.warnings) = ([], 0, [])
    summary.entities = []
    #expect(sections(summary).map(\.title) == ["The run"])
  }
}
