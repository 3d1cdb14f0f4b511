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

  @Test("a pause that is over before the work has ended is still a pause") func resumed()
    async throws
  {
    let sample = try AppSample(notes: 40_000)
    let progress = RecordedProgress(pausingAt: 0.5, resumes: true)
    #expect(try await migrate(sample.store, with: sample.pipeline, progress: progress) == .paused)
    try await migrate(sample.store, with: sample.pipeline)
    #expect(try sample.version == "Notes 2")
  }

  @Test("what an older version of the app left half done does not keep a newer one from migrating")
  func updated() async throws {
    let sample = try AppSample(notes: 40_000)
    let progress = RecordedProgress(pausingAt: 0.5)
    #expect(try await migrate(sample.store, with: sample.pipeline, progress: progress) == .paused)
    let script = String(decoding: try sample.text("notes_priority.lua"), as: UTF8.self)
    try sample.write("-- Another script.\n" + script, to: "notes_priority.lua")
    try await migrate(sample.store, with: sample.pipeline)
    #expect(try sample.version == "Notes 2")
  }

  @Test(
    "a store that the system moved with its work is resumed where it is now",
    arguments: [nil, "Work"])
  func moved(work: String?) async throws {
    let old = try AppSample(notes: 40_000)
    let container = TemporaryFolder.url.appending(path: "Old")
    let other = TemporaryFolder.url.appending(path: "New")
    try FileManager.default.createDirectory(at: container, withIntermediateDirectories: true)
    try FileManager.default.moveItem(at: old.store, to: container.appending(path: "App.sqlite"))
    func start(_ folder: URL, _ progress: Progress) async throws -> MigrationResult {
      try await migrate(
        folder.appending(path: "App.sqlite"), with: old.pipeline, progress: progress,
        work: work.map { folder.appending(path: $0) })
    }
    #expect(try await start(container, RecordedProgress(pausingAt: 0.5)) == .paused)
    let kept = "\(work.map { "\($0)" } ?? "App.sqlite.pipeline")/run/state.json"
    let run = try Self.run(in: container.appending(path: kept).path)
    try FileManager.default.moveItem(at: container, to: other)
    guard case .migrated(let summary) = try await start(other, RecordedProgress()) else {
      Issue.record("not migrated")
      return
    }
    #expect(summary.run == run)
    // What the finished run has left keeps nobody from the next migration, either.
    try FileManager.default.moveItem(at: other, to: container)
    #expect(try await start(container, RecordedProgress()) == .upToDate)
  }

  @Test("a store that was restored from a backup of the device starts over") func restored()
    async throws
  {
    let sample = try AppSample(notes: 40_000)
    let progress = RecordedProgress(pausingAt: 0.5)
    #expect(try await migrate(sample.store, with: sample.pipeline, progress: progress) == .paused)
    let copy = TemporaryFolder.url.appending(path: "copy")
    try FileManager.default.copyItem(at: sample.store, to: copy)
    try FileManager.default.removeItem(at: sample.store)
    try FileManager.default.moveItem(at: copy, to: sample.store)
    try await migrate(sample.store, with: sample.pipeline)
    #expect(try sample.version == "Notes 2")
  }

  @Test("a pipeline that would not replace the store is refused") func noSwap() async throws {
    let sample = try AppSample()
    let text = String(decoding: try sample.text("notes.pipeline"), as: UTF8.self)
    try sample.write(text.replacing("stage \"swap\" {}", with: ""), to: "notes.pipeline")
    let error = await #expect(throws: MigrationError.self) {
      try await migrate(sample.store, with: sample.pipeline)
    }
    #expect(error?.retry == .never)
    #expect(error?.description.contains("It has no stage swap") == true)
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
