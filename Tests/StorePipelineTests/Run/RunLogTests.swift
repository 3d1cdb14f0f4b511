import CoreDataStore
import StorePipeline
import TestSupport
import Testing

@Suite("The log of a run", .temporaryFolder)
struct RunLogTests {
  private static let pipeline = """
    pipeline "Notes" { format = 1, models = "Notes.xcdatamodeld", target = "Notes 2" }
    stage "detect" {}
    stage "open" {}
    stage "copy" { drop { "Note.done" }, where { entity = "Folder", "name = 'Work'" } }
    stage "transform" { entity = "Note", script = "notes_priority.lua" }
    stage "validate" {}
    stage "swap" {}
    """

  @Test("what was warned of before a run was cut short is in the summary of the one that resumes")
  func resumed() async throws {
    let sample = try RunSample()
    let plan = try sample.plan(Self.pipeline)
    let warning = "Folder: 1 object left out by 'where'"
    let first = try await sample.run(plan, RunOptions(until: "copy"))
    #expect(first.warnings.contains(warning))
    let second = try await sample.run(plan)
    #expect(second.outcome == .swapped)
    #expect(second.warnings.filter { $0 == warning }.count == 1)
  }

  @Test("a run that starts over does not have the warnings of the one before")
  func anew() async throws {
    let sample = try RunSample()
    try await sample.run(sample.plan(Self.pipeline), RunOptions(until: "copy"))
    let summary = try await sample.run(nil, RunOptions(restarts: true))
    #expect(!summary.warnings.contains { $0.hasPrefix("Folder: ") })
  }
}
