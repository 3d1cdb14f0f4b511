import CoreDataStore
import Foundation
import SQLite
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("A plan and the store that the run finds under the lock", .temporaryFolder)
struct PlanUnderLockTests {
  /// A pipeline whose script must not run twice: a note's title gets a sign.
  private static let signing = """
    pipeline "P" { format = 1, models = "Notes.xcdatamodeld", target = "Notes 2" }
    stage "detect" {} stage "open" { wait = "1 s" }
    stage "copy" { drop { "Note.done", "Note.priority" } }
    stage "transform" { entity = "Note", script = "sign.lua" }
    stage "swap" {}
    """

  private func sample() throws -> RunSample {
    let sample = try RunSample()
    let script = """
      return {
        attributes = {
          title = function(title) return title .. "!" end,
          priority = function() return 1 end,
        },
      }
      """
    try script.write(toFile: sample.path("sign.lua"), atomically: true, encoding: .utf8)
    return sample
  }

  private func titles(_ sample: RunSample) throws -> [String] {
    try StoreRows.read("SELECT ZTITLE FROM ZNOTE ORDER BY Z_PK", at: sample.store)
  }

  @Test(
    "of two runs that were planned for one store, the second finds it migrated and does nothing",
    arguments: [nil, "elsewhere"])
  func twice(work: String?) async throws {
    let sample = try sample()
    let plan = try sample.plan(Self.signing)
    let late = try sample.plan(Self.signing)
    try await sample.run(plan)
    let once = try StoreRows.tables(at: sample.store)
    let summary = try await sample.run(late, RunOptions(work: work.map(sample.path)))
    #expect(summary.outcome == .upToDate)
    #expect([summary.source, summary.target] == ["Notes 2", "Notes 2"])
    #expect(try titles(sample) == ["Milk!", "Bread!", "Report!"])
    #expect(try StoreRows.tables(at: sample.store) == once)
  }

  @Test("a late run with --force leaves what another run has just migrated alone")
  func forced() async throws {
    let sample = try sample()
    let plan = try sample.plan(Self.signing)
    let late = try sample.plan(Self.signing, force: true)
    try await sample.run(plan)
    let summary = try await sample.run(late)
    #expect(summary.outcome == .upToDate)
    #expect(try titles(sample) == ["Milk!", "Bread!", "Report!"])
  }

  @Test("a run that is resumed has to be the one that was found")
  func resumedByAnother() async throws {
    let sample = try sample()
    let summary = try await sample.run(sample.plan(Self.signing), RunOptions(until: "copy"))
    try await sample.run(sample.plan(Self.signing))
    var options = RunOptions()
    options.resumed = summary.run
    let plan = try sample.plan(Self.signing, force: true)
    let error = await #expect(throws: Failure.self) { try await sample.run(plan, options) }
    #expect(error?.kind == .busy)
    #expect(try titles(sample) == ["Milk!", "Bread!", "Report!"])
  }

  @Test("what an application writes between plan and lock is migrated, by a plan of its own")
  func inserted() async throws {
    let sample = try sample()
    let plan = try sample.plan(Self.signing)
    try StoreRows.change(
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE) SELECT 9, Z_ENT, 1, 'New' FROM ZNOTE LIMIT 1",
      at: sample.store)
    let summary = try await sample.run(plan)
    #expect(summary.outcome == .swapped)
    #expect(summary.warnings.contains { $0.contains("planned again") })
    #expect(summary.entities.first { $0.name == "Note" }?.objectsBefore == 4)
    #expect(try titles(sample) == ["Milk!", "Bread!", "Report!", "New!"])
  }

  @Test("a store that the pipeline does not take any more is left as it is, with status 5")
  func unknown() async throws {
    let sample = try sample()
    let plan = try sample.plan(Self.signing)
    try StoreRows.change("UPDATE Z_METADATA SET Z_PLIST = X'00'", at: sample.store)
    let before = try sample.bytes()
    let error = await #expect(throws: Failure.self) { try await sample.run(plan) }
    #expect(error?.kind == .busy)
    #expect(try sample.bytes() == before)
  }

  @Test("the stage backup backs up the store that was planned for, or ends the run")
  func backup() async throws {
    let sample = try sample()
    let text = Self.signing.replacing(
      "stage \"swap\"", with: "stage \"backup\" { to = \"b\" }\nstage \"swap\"")
    let first = text.replacing(
      "stage \"detect\" {}", with: "stage \"detect\" {} stage \"backup\" { to = \"a\" }")
    let plan = try sample.plan(first)
    try StoreRows.change("UPDATE ZNOTE SET Z_OPT = 7", at: sample.store)
    let error = await #expect(throws: Failure.self) { try await sample.run(plan) }
    #expect(error?.kind == .busy)
    #expect(!FileManager.default.fileExists(atPath: sample.path("a")))
    #expect(try await sample.run(sample.plan(text)).outcome == .swapped)
    #expect(FileManager.default.fileExists(atPath: sample.path("b/manifest.json")))
  }

  @Test("a run that is resumed takes the backup that its stage has made for the same one")
  func backupResumed() async throws {
    let sample = try sample()
    let text = Self.signing.replacing(
      "stage \"swap\"", with: "stage \"backup\" { to = \"b\" }\nstage \"swap\"")
    try await sample.run(sample.plan(text), RunOptions(until: "backup"))
    #expect(try await sample.run(sample.plan(text)).outcome == .swapped)
  }
}
