import Foundation
import StorePipeline
import StorePipelineApp
import TestSupport
import Testing

@Suite("A migration in an app", .temporaryFolder)
struct MigrateTests {
  @Test("the store is of the new version afterwards, and the next start finds nothing to do")
  func migrates() async throws {
    let sample = try AppSample()
    let result = try await migrate(sample.store, with: sample.pipeline)
    guard case .migrated(let summary) = result else {
      Issue.record("not migrated: \(result)")
      return
    }
    #expect(summary.target == "Notes 2")
    #expect(try sample.version == "Notes 2")
    #expect(try await migrate(sample.store, with: sample.pipeline) == .upToDate)
  }

  @Test("where no store is yet, nothing is made") func noStore() async throws {
    let sample = try AppSample()
    let other = TemporaryFolder.url.appending(path: "Other.sqlite")
    #expect(try await migrate(other, with: sample.pipeline) == .noStore)
    let names = try FileManager.default.contentsOfDirectory(atPath: TemporaryFolder.url.path)
    #expect(names.sorted() == ["App.sqlite", "Resources"])
  }

  @Test("the work goes where the app wants it") func work() async throws {
    let sample = try AppSample()
    let work = TemporaryFolder.url.appending(path: "Work")
    try await migrate(sample.store, with: sample.pipeline, work: work)
    let backups = work.appending(path: "backups").path
    #expect(try FileManager.default.contentsOfDirectory(atPath: backups).count == 1)
    #expect(!FileManager.default.fileExists(atPath: "\(sample.store.path).pipeline"))
  }

  @Test("a paused migration stops, leaves the old store, and the next call resumes it")
  func pause() async throws {
    let sample = try AppSample(notes: 40_000)
    let before = try Data(contentsOf: sample.store)
    let progress = RecordedProgress(pausingAt: 0.5)
    #expect(try await migrate(sample.store, with: sample.pipeline, progress: progress) == .paused)
    #expect(try sample.version == "Notes")
    #expect(try Data(contentsOf: sample.store) == before)
    let state = "\(sample.store.path).pipeline/run/state.json"
    let run = try Self.run(in: state)
    let result = try await migrate(sample.store, with: sample.pipeline)
    guard case .migrated(let summary) = result else {
      Issue.record("not migrated: \(result)")
      return
    }
    #expect(summary.run == run)
  }

  private static func run(in state: String) throws -> String? {
    let data = try Data(contentsOf: URL(filePath: state))
    return (try JSONSerialization.jsonObject(with: data) as? [String: Any])?["run"] as? String
  }

  @Test("without time it pauses before it changes anything") func noTime() async throws {
    let sample = try AppSample()
    #expect(try await migrate(sample.store, with: sample.pipeline, time: .zero) == .paused)
    #expect(try sample.version == "Notes")
  }

  @Test("a cancelled progress, and a cancelled task, throw") func cancelled() async throws {
    let sample = try AppSample(notes: 40_000)
    let progress = Progress(totalUnitCount: 0)
    progress.cancel()
    await #expect(throws: CancellationError.self) {
      try await migrate(sample.store, with: sample.pipeline, progress: progress)
    }
    let pipeline = try sample.pipeline
    let task = Task { try await migrate(sample.store, with: pipeline) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try sample.version == "Notes")
    try await migrate(sample.store, with: pipeline)
    #expect(try sample.version == "Notes 2")
  }

  @Test("objects that break rules of the new model are an error, and the old store stays")
  func broken() async throws {
    let sample = try AppSample()
    try sample.write(
      "return { attributes = { title = function() return nil end } }", to: "notes_priority.lua")
    let error = await #expect(throws: MigrationError.self) {
      try await migrate(sample.store, with: sample.pipeline)
    }
    #expect(error?.retry == .never)
    #expect(try sample.version == "Notes")
  }
}
