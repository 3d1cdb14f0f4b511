import CoreDataStore
import Foundation
import SQLite
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Verification later on", .temporaryFolder)
struct StoreVerificationTests {
  /// A pipeline whose script makes other objects with keys of their own.
  private static let split = """
    pipeline "Notes" { format = 1, models = "Notes.xcdatamodeld", target = "Notes 2" }
    stage "detect" {}
    stage "open" {}
    stage "copy" { drop { "Note.done", "Note.priority" } }
    stage "transform" { entity = "Note", script = "split.lua" }
    stage "validate" {}
    stage "verify" {}
    stage "swap" {}
    """
  private static let script = """
    return {
      attributes = { priority = 1 },
      creates = { "Note", "Attachment" },
      create = function(source, new)
        local note = new.Note(source)
        new.Attachment { fileName = "a", note = note }
        return note
      end,
    }
    """

  private func change(_ path: String, _ sql: String) throws {
    let connection = try Connection(path: path, mode: .own(create: false))
    try connection.execute(sql)
    try connection.close()
  }

  private func verify(_ sample: RunSample) async throws -> VerificationSummary {
    try await StoreVerification(store: sample.store).run()
  }

  @Test("a store that nobody has touched is what its run made, and nothing is left behind")
  func same() async throws {
    let sample = try RunSample()
    let run = try await sample.run()
    let summary = try await verify(sample)
    #expect(summary.count == 0)
    #expect(summary.isUntouched)
    #expect(summary.run == run.run)
    #expect(summary.backup == run.backup)
    #expect(summary.objects > 0)
    #expect((summary.source, summary.target) == ("Notes", "Notes 2"))
    #expect(!FileManager.default.fileExists(atPath: sample.store + ".pipeline/verify"))
  }

  @Test(
    "what differs is named, and what an application has saved since is reported as such",
    arguments: [
      ("UPDATE ZNOTE SET ZPRIORITY = 7 WHERE Z_PK = 3", "Note 3 priority", false),
      ("UPDATE ZNOTE SET ZTITLE = 'milk' WHERE Z_PK = 1", "Note 1 title", false),
      ("UPDATE ZNOTE SET ZTITLE = 'milk', Z_OPT = Z_OPT + 1 WHERE Z_PK = 1", "Note 1 title", true),
      ("UPDATE ZNOTE SET ZPRIORITY = 7, Z_OPT = 9 WHERE Z_PK = 3", "Note 3 priority", true),
      ("DELETE FROM ZNOTE WHERE Z_PK = 2", "Note 2 ", false),
      ("INSERT INTO ZFOLDER (Z_PK, Z_ENT, ZNAME) VALUES (9, 2, 'More')", "Folder 9 ", true),
      ("DELETE FROM Z_3NOTES WHERE rowid = 1", "Label 1 notes", false),
    ])
  func planted(sql: String, place: String, isSince: Bool) async throws {
    let sample = try RunSample()
    try await sample.run()
    try change(sample.store, sql)
    let summary = try await verify(sample)
    #expect(!summary.isUntouched)
    let found = summary.differences.filter { "\($0.entity) \($0.key) \($0.property)" == place }
    #expect(found.count == 1)
    #expect(found.first?.isSince == isSince)
    #expect(summary.count == summary.differences.count)
    #expect(summary.since == summary.differences.filter(\.isSince).count)
  }

  @Test("an object that was only saved again is no difference")
  func savedAgain() async throws {
    let sample = try RunSample()
    try await sample.run()
    try change(sample.store, "UPDATE ZFOLDER SET Z_OPT = Z_OPT + 3")
    let summary = try await verify(sample)
    #expect(summary.count == 0)
    #expect(!summary.isUntouched)
  }

  @Test("a script that has changed since is named, with a status for what is wrong in a file")
  func script() async throws {
    let sample = try RunSample()
    try await sample.run()
    let script = sample.path("notes_priority.lua")
    try (String(contentsOfFile: script, encoding: .utf8) + "\n-- corrected\n")
      .write(toFile: script, atomically: true, encoding: .utf8)
    let error = await #expect(throws: Failure.self) { try await verify(sample) }
    #expect(error?.kind == .misuse)
    #expect(error?.why.contains("script notes_priority.lua") == true)
  }

  @Test("what a script makes with keys of its own is followed by what was kept of the run")
  func made() async throws {
    let sample = try RunSample()
    try Self.script.write(toFile: sample.path("split.lua"), atomically: true, encoding: .utf8)
    try await sample.run(sample.plan(Self.split))
    #expect(try await verify(sample).count == 0)
    try change(sample.store, "UPDATE ZNOTE SET ZPRIORITY = 2 WHERE Z_PK = 1")
    let summary = try await verify(sample)
    let places = summary.differences.map { "\($0.entity) \($0.key) \($0.property)" }
    #expect(places == ["Note 1 priority"])
  }

  @Test("without a run, without its backup or against a damaged one there is no answer")
  func refused() async throws {
    let sample = try RunSample()
    let none = await #expect(throws: Failure.self) { try await verify(sample) }
    #expect(none?.why == "No run of a pipeline has made the store what it is.")
    let backup = try #require(try await sample.run().backup)
    try change("\(backup)/Notes.sqlite", "UPDATE ZFOLDER SET ZNAME = 'x' WHERE Z_PK = 1")
    let damaged = await #expect(throws: Failure.self) { try await verify(sample) }
    #expect(damaged?.what == "cannot use the backup")
    try FileManager.default.removeItem(atPath: backup)
    let gone = await #expect(throws: Failure.self) { try await verify(sample) }
    #expect(gone?.what == "cannot verify the store")
  }

  @Test("a backup of one's own may be named")
  func against() async throws {
    let sample = try RunSample()
    let place = sample.path("before")
    _ = try StoreRecovery.backUp([sample.store], to: place)
    try await sample.run()
    let summary = try await StoreVerification(store: sample.store, against: place).run()
    #expect(summary.count == 0)
    #expect(summary.backup == place)
  }
}
