import StorePipeline
import Testing

@Suite("Summary of a run as text")
struct TextRunSummaryTests {
  private func text(_ summary: RunSummary) -> String { TextRunSummary(summary, width: 80).text }

  @Test(
    "the first line says where the new store is",
    arguments: [
      (RunSummary.Outcome.swapped, "Notes.sqlite: Notes -> Notes 2"),
      (
        .written("New.sqlite"),
        "New.sqlite: Notes -> Notes 2, from Notes.sqlite, which is as it was"
      ),
      (
        .stopped(after: "copy"),
        "Notes.sqlite: stopped after copy; the same command without --until continues it"
      ),
      (.upToDate, "Notes.sqlite: is Notes 2 already"),
    ])
  func headline(outcome: RunSummary.Outcome, line: String) {
    #expect(text(RunSummarySample.everything(outcome)).hasPrefix(line + "\n"))
  }

  @Test("the path in the first line is not broken") func path() {
    let path = "a  folder of/New.sqlite"
    let summary = RunSummarySample.everything(.written(path))
    #expect(TextRunSummary(summary, width: 20).text.hasPrefix("\(path):\nNotes -> Notes 2,"))
  }

  @Test("a store that would break rules is as it was, and so is one whose successor waits")
  func untouched() {
    for outcome in [RunSummary.Outcome.invalid, .staged("w/next.sqlite")] {
      let told = text(RunSummarySample.everything(outcome)).replacing("\n", with: " ")
      #expect(told.contains("is as it was") || told.contains("the old one is as it was"))
    }
  }

  @Test("entities, failures and figures follow; a column for rejected objects only where there are")
  func parts() {
    let summary = RunSummarySample.everything()
    let lines = text(summary).split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.contains("Note -> Memo") && $0.contains("1,197") })
    #expect(lines.contains { $0.contains("rejected") })
    #expect(lines.contains("Failures: 12"))
    #expect(lines.contains { $0.contains("Memo 7") && $0.contains("so it was in the source") })
    #expect(lines.contains("  and 11 more"))
    #expect(lines.contains { $0.hasPrefix("1,203 objects, ") && $0.contains("602 a second") })
    #expect(
      lines.suffix(2) == [
        "backup: Notes.sqlite.pipeline/backups/1",
        "undo: pipeline restore Notes.sqlite.pipeline/backups/1 Notes.sqlite",
      ])
    var whole = summary
    whole.entities[1].rejected = 0
    #expect(!text(whole).contains("rejected"))
  }

  @Test("of entities that became one, the line of the first has the objects, and others name it")
  func merged() throws {
    var summary = RunSummarySample.everything()
    summary.entities[0].name = "Electrician"
    summary.entities[1].name = "Plumber"
    summary.entities[1].rejected = 0
    for place in summary.entities.indices { summary.entities[place].target = "Contractor" }
    let lines = text(summary).split(separator: "\n").map(String.init)
    let plumber = try #require(lines.first { $0.contains("Plumber -> Contractor") })
    #expect(plumber.hasSuffix("scripted, counted with Electrician"))
    #expect(plumber.contains("1,200") && !plumber.contains("1,197"))
    #expect(lines.contains { $0.contains("Electrician -> Contractor") && $0.contains("3") })
  }

  @Test("names cannot drive the terminal")
  func names() {
    var summary = RunSummarySample.everything()
    summary.store = "a\u{1B}[31m\nb"
    summary.entities[0].name = "\u{7}bell"
    let told = text(summary)
    #expect(!told.unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
  }
}
