import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Scripts that reject objects", .temporaryFolder)
struct RejectingScriptsTests {
  private static func script(_ attribute: String, failing: Bool) -> String {
    let test =
      failing
      ? "if \(attribute) == 'Bread' or \(attribute) == 'Work' then error('strange') end" : ""
    return "return { attributes = { \(attribute) = function(\(attribute)) \(test) "
      + "return \(attribute) end } }"
  }

  private func pipeline(_ sample: RetrySample, swap: String = "") throws -> Pipeline {
    try PipelineFile(
      """
      pipeline "Notes" { format = 1, models = "Notes.xcdatamodeld", target = "Notes 2" }
      stage "copy" { drop { "Note.done", "Note.priority" } }
      stage "transform" { entity = "Note", script = "notes.lua", on_error = "reject" }
      stage "transform" { entity = "Folder", script = "folders.lua", on_error = "reject" }
      stage "swap" {\(swap)}
      """, path: sample.path("test.pipeline")
    ).pipeline()
  }

  private func write(_ sample: RetrySample, failing: Bool) throws {
    for (name, attribute) in [("notes", "title"), ("folders", "name")] {
      try Self.script(attribute, failing: failing)
        .write(toFile: sample.path("\(name).lua"), atomically: true, encoding: .utf8)
    }
  }

  @Test("two scripts of one step each reject objects, and a retry puts in those of both")
  func two() async throws {
    let sample = try RetrySample()
    try write(sample, failing: true)
    let plan = try Planner(pipeline: pipeline(sample)).plan(store: Store(sample.store))
    let summary = try await Run(plan, store: sample.store).execute()
    #expect(summary.outcome == .swapped)
    #expect(try sample.waiting == 2)
    try write(sample, failing: false)
    #expect(try await sample.retry().made == 2)
    #expect(try sample.rows("SELECT ZTITLE FROM ZNOTE ORDER BY 1") == ["Bread", "Milk", "Report"])
    #expect(try sample.rows("SELECT ZNAME FROM ZFOLDER ORDER BY 1") == ["Home", "Work"])
    #expect(
      try sample.rows("SELECT Z_PK, ZFOLDER FROM ZNOTE ORDER BY 1") == ["1|1", "2|1", "3|2"])
  }

  @Test("a file that rejects objects and makes no backup of them is wrong, on both lines")
  func withoutBackup() throws {
    let sample = try RetrySample()
    try write(sample, failing: true)
    let pipeline = try pipeline(sample, swap: " backup = false ")
    let problems = Planner.check(pipeline).problems
    #expect(problems.map(\.line) == [3, 4])
    let message = try #require(problems.first?.message)
    #expect(message.contains("backup = false") && message.contains("on_error"), "\(message)")
    #expect(try Planner(pipeline: pipeline).plan(store: Store(sample.store)).problems == problems)
    #expect(Planner.check(try self.pipeline(sample)).problems.isEmpty)
  }
}
