import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Verifying a store that stages have changed", .temporaryFolder)
struct RevisionVerificationTests {
  private static let shorten = StageSample.file(
    "ctx.each('Note', function(note) note.title = note.title:sub(1, 1) end)",
    touches: "{ \"Note.title\" }")

  @Test("it is compared before the stage, and what the stage may change is reported")
  func before() async throws {
    let sample = try StageSample(Self.shorten)
    let summary = try await sample.run(sample.text(verify: true))
    #expect(summary.outcome == .swapped)
    #expect(
      summary.warnings == [
        "verified as it was before mine: what that may change is not compared: Note.title"
      ])
    #expect(try sample.rows("SELECT ZTITLE FROM ZNOTE ORDER BY Z_PK") == ["M", "B", "R"])
  }

  @Test("without the stage verify nothing is compared, and nothing is reported")
  func without() async throws {
    let sample = try StageSample(Self.shorten)
    #expect(try await sample.run().warnings == [])
  }

  @Test("a difference that was there before the stage ends the run")
  func difference() async throws {
    let sample = try StageSample(Self.shorten)
    let stages = """
      stage "transform" { entity = "Note", script = "other.lua" }
      stage "mine" {}
      """
    // A script that does not repeat itself: its table is made again whenever it is loaded.
    try sample.write(
      """
      local address = require("run")
      return { attributes = { title = function(title) return title .. address end } }
      """, "other.lua")
    try sample.write("return 'a'", "run.lua")
    let before = try sample.sample.bytes()
    let text = sample.text(stages, verify: true)
    let plan = try sample.sample.plan(text)
    #expect(plan.problems.isEmpty, "\(plan.problems)")
    let path = sample.sample.path("run.lua")
    let summary = try await sample.sample.run(plan) { event in
      // Between the making of the objects and the comparison the module changes.
      guard event.kind == .stageFinished, event.stage == "transform" else { return }
      try? Data("return 'b'".utf8).write(to: URL(filePath: path))
    }
    #expect(summary.outcome == .invalid)
    #expect(summary.failureCount == 3)
    #expect(try sample.sample.bytes() == before)
  }

  @Test("a run that was stopped behind the comparison does not compare what was changed")
  func resumed() async throws {
    let sample = try StageSample(Self.shorten)
    let text = sample.text(verify: true)
    let plan = try sample.sample.plan(text)
    _ = try await sample.sample.run(plan, RunOptions(until: "mine"))
    let summary = try await sample.sample.run(try sample.sample.plan(text))
    #expect(summary.outcome == .swapped)
    #expect(try sample.rows("SELECT ZTITLE FROM ZNOTE ORDER BY Z_PK") == ["M", "B", "R"])
  }

  @Test("stages stand in the steps of a chain, too, and names of entities follow")
  func chain() async throws {
    let sample = try StageSample(
      StageSample.file(
        "ctx.each('Label', function(label) ctx.delete(label) end)", touches: "{ \"Label\" }"))
    let text = """
      pipeline "P" { format = 1, models = "Notes.xcdatamodeld", plugins = { "stage.lua" } }
      stage "detect" {} stage "open" {}
      step "Notes 2" {
        stage "copy" {
          drop { "Note.done" },
          map { entity = "Note", attributes = { priority = 0 } },
          accept_loss = "*",
        },
        stage "mine" {},
      }
      stage "validate" {} stage "verify" {} stage "swap" {}
      """
    let plan = try sample.sample.plan(text)
    #expect(plan.uris.reasons.contains("Label: mine may take objects out"))
    #expect(try await sample.sample.run(plan).outcome == .swapped)
    #expect(try sample.rows("SELECT count(*) FROM ZLABEL") == ["0"])
  }
}
