import CoreDataStore
import Foundation
import StorePipeline
import StoreReplacement
import StoreTestSupport
import TestSupport
import Testing

@Suite("A store that was written before", .temporaryFolder)
struct WrittenBeforeTests {
  private let sample: RunSample

  init() throws { sample = try RunSample() }

  @Test("nothing is written again") func before() async throws {
    #expect(try await word() == "written")
    let bytes = try sample.bytes("out/Notes.sqlite")
    #expect(try await word() == "written before")
    #expect(try sample.bytes("out/Notes.sqlite") == bytes)
  }

  @Test("the store has changed since") func changed() async throws {
    #expect(try await word() == "written")
    try StoreRows.change("UPDATE ZNOTE SET ZTITLE = 'x'", at: sample.store)
    #expect(try await word() == "failed")
  }

  @Test("the script has changed since") func script() async throws {
    #expect(try await word() == "written")
    let script = URL(filePath: sample.path("notes_priority.lua"))
    try Data((String(contentsOf: script, encoding: .utf8) + "-- x\n").utf8).write(to: script)
    #expect(try await word() == "failed")
  }

  @Test("another file is at the output") func other() async throws {
    #expect(try await word() == "written")
    try FileManager.default.removeItem(atPath: sample.path("out/Notes.sqlite"))
    try FileManager.default.copyItem(
      atPath: sample.store, toPath: sample.path("out/Notes.sqlite"))
    #expect(try await word() == "failed")
  }

  @Test("a report that is there stays, and the next one has a number") func report() async throws {
    #expect(try await word(report: "r") == "written")
    let first = try sample.bytes("r/Notes.sqlite.html")
    try FileManager.default.removeItem(atPath: sample.path("out"))
    #expect(try await word(report: "r") == "written")
    #expect(try sample.bytes("r/Notes.sqlite.html") == first)
    #expect(FileManager.default.fileExists(atPath: sample.path("r/Notes.sqlite-2.html")))
  }

  @Test("of a store that is up to date a report that is not there is written, and no other")
  func missingReport() async throws {
    #expect(try await word(output: nil, report: "r") == "swapped")
    let (page, part) = (sample.path("r/Notes.sqlite.html"), "r/Notes.sqlite.html.pipeline-part")
    try FileManager.default.moveItem(atPath: page, toPath: sample.path(part))
    #expect(try await word(output: nil, report: "r") == "up to date")
    let report = try sample.bytes("r/Notes.sqlite.html")
    #expect(try await word(output: nil, report: "r") == "up to date")
    #expect(try sample.bytes("r/Notes.sqlite.html") == report)
    let names = try FileManager.default.contentsOfDirectory(atPath: sample.path("r"))
    #expect(names == ["Notes.sqlite.html"])
  }

  @Test("a report that is missing is not written while another process is at the store")
  func busyReport() async throws {
    #expect(try await word(output: nil, report: "r") == "swapped")
    try FileManager.default.removeItem(atPath: sample.path("r/Notes.sqlite.html"))
    let lock = try RunLock(WorkFolder(store: sample.store))
    #expect(try await word(output: nil, report: "r") == "up to date")
    #expect(try FileManager.default.contentsOfDirectory(atPath: sample.path("r")) == [])
    lock.unlock()
    #expect(try await word(output: nil, report: "r") == "up to date")
    let names = try FileManager.default.contentsOfDirectory(atPath: sample.path("r"))
    #expect(names == ["Notes.sqlite.html"])
  }

  private func word(output: String? = "out", report: String? = nil) async throws -> String {
    let pipeline = try PipelineFile(path: sample.path("notes.pipeline")).pipeline()
    let options = RunOptions(output: output.map(sample.path), report: report.map(sample.path))
    let fleet = Fleet(
      try Planner(pipeline: pipeline), stores: try FleetStore.list([sample.store], options))
    return try #require(await fleet.execute().entries.first).outcome.word
  }
}
