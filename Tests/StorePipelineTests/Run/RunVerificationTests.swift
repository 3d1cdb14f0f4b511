import CoreDataStore
import Foundation
import SQLite
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Verification", .temporaryFolder)
struct RunVerificationTests {
  private static let pipeline = """
    pipeline "Notes" { format = 1, models = "Notes.xcdatamodeld", target = "Notes 2" }
    stage "detect" {}
    stage "open" {}
    stage "copy" { drop { "Note.done" } }
    stage "transform" { entity = "Note", script = "notes_priority.lua" }
    stage "pause" {}
    stage "verify" {}
    stage "swap" {}
    """

  /// Runs the sample up to the new store, changes this, and resumes.
  private func verify(script: String? = nil, after change: String) async throws -> RunSummary {
    let sample = try RunSample()
    if let script {
      try script.write(
        toFile: sample.path("notes_priority.lua"), atomically: true, encoding: .utf8)
    }
    let stages = StageRegistry.standard.with(PauseStage.self)
    let file = PipelineFile(Self.pipeline, path: sample.path("test.pipeline"))
    let plan = try Planner(pipeline: try file.pipeline(stages: stages), stages: stages)
      .plan(store: Store(sample.store))
    let options = RunOptions(until: "pause")
    let staged = try await Run(plan, store: sample.store, options: options, stages: stages)
      .execute()
    #expect(staged.outcome == .stopped(after: "pause"))
    let connection = try Connection(
      path: sample.store + ".pipeline/run/next.sqlite", mode: .own(create: false))
    try connection.execute(change)
    try connection.close()
    return try await Run(plan, store: sample.store, stages: stages).execute()
  }

  @Test("a store that is what its source makes of it takes the source's place")
  func same() async throws {
    let summary = try await verify(after: "")
    #expect(summary.failures.isEmpty)
    #expect(summary.outcome == .swapped)
  }

  @Test(
    "one planted difference is found and named",
    arguments: [
      ("UPDATE ZFOLDER SET ZNAME = 'House' WHERE Z_PK = 1", "Folder 1 name"),
      ("UPDATE ZNOTE SET ZPRIORITY = 7 WHERE Z_PK = 3", "Note 3 priority"),
      ("UPDATE ZNOTE SET ZTITLE = 'milk' WHERE Z_PK = 1", "Note 1 title"),
      ("UPDATE ZNOTE SET ZCREATED = 700000120.75 WHERE Z_PK = 3", "Note 3 created"),
      ("UPDATE ZNOTE SET ZPINNED = 1 WHERE Z_PK = 2", "Note 2 pinned"),
      ("UPDATE ZNOTE SET ZFOLDER = 2 WHERE Z_PK = 1", "Note 1 folder"),
      ("UPDATE ZFOLDER SET Z_OPT = 9 WHERE Z_PK = 2", "Folder 2 Z_OPT"),
      ("DELETE FROM ZLABEL", "Tag 1 "),
      ("DELETE FROM ZNOTE WHERE Z_PK = 2", "Note 2 "),
      ("INSERT INTO ZFOLDER (Z_PK, Z_ENT, ZNAME) VALUES (9, 2, 'More')", "Folder 9 "),
      ("DELETE FROM Z_3NOTES WHERE rowid = 1", "Label 1 notes"),
      ("UPDATE Z_3NOTES SET Z_4NOTES = 3 WHERE rowid = 1", "Label 1 notes"),
    ])
  func planted(change: String, place: String) async throws {
    let summary = try await verify(after: change)
    #expect(summary.outcome == .invalid)
    #expect(summary.status == 1)
    let places = summary.failures.map { "\($0.entity) \($0.key) \($0.property)" }
    #expect(places.contains(place))
    #expect(places.count <= 2)
  }

  @Test("what a script keeps in a variable of its own is found, because it cannot be made again")
  func variable() async throws {
    let sample = try RunSample()
    let script = """
      local count = 0
      return { attributes = { priority = function(priority)
        count = count + 1
        return count
      end } }
      """
    try script.write(toFile: sample.path("notes_priority.lua"), atomically: true, encoding: .utf8)
    let file = PipelineFile(
      Self.pipeline.replacing("stage \"pause\" {}\n", with: ""), path: sample.path("test.pipeline"))
    let plan = try Planner(pipeline: try file.pipeline()).plan(store: Store(sample.store))
    #expect(try await sample.run(plan).outcome == .swapped)
  }
}
