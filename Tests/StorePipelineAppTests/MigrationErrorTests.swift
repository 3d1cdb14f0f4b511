import CoreDataStore
import Foundation
import SQLite
import TestSupport
import Testing

@testable import StorePipelineApp

@Suite("Why a migration in an app failed", .temporaryFolder)
struct MigrationErrorTests {
  private func error(of sample: AppSample) async -> MigrationError? {
    await #expect(throws: MigrationError.self) {
      try await migrate(sample.store, with: sample.pipeline)
    }
  }

  @Test("a store that is open elsewhere is worth another try in a moment") func busy() async throws
  {
    let sample = try AppSample()
    let connection = try Connection(path: sample.store.path, mode: .own(create: false))
    try connection.execute("BEGIN EXCLUSIVE")
    #expect(await error(of: sample)?.retry == .soon)
    try connection.execute("ROLLBACK")
    try connection.close()
  }

  @Test(
    "only what is busy, or what the machine refuses, is worth another try",
    arguments: Failure.Kind.allCases)
  func kinds(kind: Failure.Kind) {
    let failure = Failure(kind, what: "a", subject: "b", why: "c", remedy: "d")
    let expected: MigrationError.Retry =
      kind == .refused ? .later : kind == .busy ? .soon : .never
    #expect(MigrationError(failure, folder: nil).retry == expected)
  }

  @Test(
    "a mistake in a script needs another version of the app, and is named by the app's own path")
  func script() async throws {
    let sample = try AppSample()
    try sample.write("return {", to: "notes_priority.lua")
    let error = await error(of: sample)
    #expect(error?.retry == .never)
    #expect(error?.description.hasPrefix("notes_priority.lua:1: ") == true)
  }

  @Test("a script that fails on an object names its line and the object")
  func object() async throws {
    let sample = try AppSample()
    try sample.write(
      "return { attributes = { priority = function(priority) error('no') end } }",
      to: "notes_priority.lua")
    let text = await error(of: sample)?.description ?? ""
    #expect(text.hasPrefix("notes_priority.lua:1: "))
    #expect(text.contains("from Note Z_PK 1"))
  }

  @Test("a pipeline that starts programs is refused before anything is done") func hook()
    async throws
  {
    let sample = try AppSample()
    try sample.addStage(#"stage "hook" { command = { "/bin/true" } }"#)
    let error = await error(of: sample)
    #expect(error?.retry == .never)
    #expect(error?.description.contains("Its stage hook, line 19, starts a program") == true)
    #expect(!FileManager.default.fileExists(atPath: "\(sample.store.path).pipeline"))
  }
}
