import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@Suite("Ways back", .temporaryFolder)
struct StoreRecoveryTests {
  private func recovery(_ sample: RunSample) throws -> StoreRecovery {
    try StoreRecovery(store: sample.store, wait: .zero)
  }

  @Test("each rollback goes one run further back, and the first state is the end")
  func rollbacks() async throws {
    let sample = try RunSample()
    let first = try StoreRows.tables(at: sample.store)
    try await sample.run()
    let second = try StoreRows.tables(at: sample.store)
    let again = try sample.plan(force: true, to: "Notes 2")
    #expect(try await sample.run(again).outcome == .swapped)
    let recovery = try recovery(sample)
    #expect(try recovery.rollback().warnings == [])
    #expect(try StoreRows.tables(at: sample.store) == second)
    #expect(try sample.version() == "Notes 2")
    #expect(try recovery.rollback().warnings == [])
    #expect(try StoreRows.tables(at: sample.store) == first)
    #expect(try sample.version() == "Notes")
    let error = #expect(throws: Failure.self) { try recovery.rollback() }
    #expect(error?.why == "No run of a pipeline has made the store what it is.")
    // What was rolled back can be run again.
    #expect(try await sample.run().outcome == .swapped)
    #expect(try StoreRows.tables(at: sample.store) == second)
  }

  @Test("rows that were written since the run are in the backup that the rollback makes")
  func rowsSince() async throws {
    let sample = try RunSample()
    try await sample.run()
    try SampleStore.change(sample.store, by: "UPDATE ZNOTE SET ZTITLE = 'mine' WHERE Z_PK = 1")
    let recovery = try recovery(sample)
    let replaced = try #require(try recovery.rollback().replaced)
    #expect(try sample.version() == "Notes")
    _ = try recovery.restore(replaced)
    #expect(try StoreRows.read("SELECT ZTITLE FROM ZNOTE", at: sample.store).first == "mine")
  }

  @Test("who is cancelled before the exchange leaves everything as it was, and can begin again")
  func cancelled() async throws {
    let sample = try RunSample()
    try await sample.run()
    let before = try StoreRows.tables(at: sample.store)
    let recovery = try recovery(sample)
    let kept = TemporaryFolder.url.appending(path: "kept").path
    let task = Task { [store = sample.store] in
      while !Task.isCancelled { await Task.yield() }
      #expect(throws: CancellationError.self) { try recovery.rollback() }
      #expect(throws: CancellationError.self) { try StoreRecovery.backUp([store], to: kept) }
    }
    task.cancel()
    await task.value
    #expect(try StoreRows.tables(at: sample.store) == before)
    #expect(!FileManager.default.fileExists(atPath: kept))
    #expect(try recovery.rollback().warnings == [])
    #expect(try sample.version() == "Notes")
    #expect(try StoreRecovery.backUp([sample.store], to: kept).count == 1)
  }

  @Test("a run's state is reported while it is at work, and after it was cut short")
  func status() async throws {
    let sample = try RunSample()
    let store = sample.store
    let seen = Mutex<[StoreStatus]>([])
    try await sample.run(nil, RunOptions(until: "transform")) { event in
      guard event.kind == .stageStarted, event.stage == "transform",
        let status = try? StoreRecovery(store: store).status()
      else { return }
      seen.withLock { $0.append(status) }
    }
    let during = try #require(seen.withLock { $0.first })
    #expect(during.run?.isRunning == true)
    #expect(during.run?.stage == "copy")
    #expect(during.run?.phase == "copying")
    let after = try recovery(sample).status()
    #expect(after.run?.isRunning == false)
    #expect(after.run?.stage == "transform")
    #expect(after.run?.isResumable == true)
    #expect(after.run?.id == during.run?.id)
    try await sample.run(nil, RunOptions(until: "validate"))
    #expect(try recovery(sample).status().run?.step == 1)
    try await sample.run()
    let done = try recovery(sample).status(verifies: true)
    #expect(done.run?.phase == "done")
    #expect(done.run?.isResumable == false)
    #expect(done.backups.map(\.isVerified) == [true])
    #expect(done.rejects == 0)
  }

  @Test("looking changes nothing")
  func looking() async throws {
    let sample = try RunSample()
    try await sample.run(nil, RunOptions(until: "transform"))
    let folder = sample.folder.path
    let before = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
    let bytes = try sample.bytes()
    let recovery = try recovery(sample)
    _ = try recovery.status(verifies: true)
    #expect(try recovery.changes(since: sample.plan()) == [])
    #expect(try sample.bytes() == bytes)
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() == before)
  }

  @Test("what has changed since a run was cut short is named, the store included")
  func changes() async throws {
    let sample = try RunSample()
    try await sample.run(nil, RunOptions(until: "copy"))
    let script = sample.path("notes_priority.lua")
    try (String(contentsOfFile: script, encoding: .utf8) + "-- changed\n")
      .write(toFile: script, atomically: true, encoding: .utf8)
    let file = sample.path("notes.pipeline")
    try String(contentsOfFile: file, encoding: .utf8)
      .replacing("\"every tag is a label\"", with: "\"each tag is a label\"")
      .write(toFile: file, atomically: true, encoding: .utf8)
    try SampleStore.change(sample.store, by: "UPDATE ZNOTE SET ZTITLE = 'mine' WHERE Z_PK = 1")
    #expect(
      try recovery(sample).changes(since: sample.plan()) == [
        "pipeline", "script notes_priority.lua", "source",
      ])
  }

  @Test("a store that changed since it was copied is refused, and --restart starts over")
  func sourceChanged() async throws {
    let sample = try RunSample()
    try await sample.run(nil, RunOptions(until: "transform"))
    try SampleStore.change(sample.store, by: "UPDATE ZNOTE SET ZTITLE = 'mine' WHERE Z_PK = 1")
    let error = await #expect(throws: Failure.self) { try await sample.run() }
    #expect(error?.kind == .busy)
    #expect(error?.remedy.contains("--restart") == true)
    #expect(try await sample.run(nil, RunOptions(restarts: true)).outcome == .swapped)
    #expect(try StoreRows.read("SELECT ZTITLE FROM ZNOTE", at: sample.store).first == "mine")
  }

  @Test("a changed script that tells the version is noticed")
  func detectScript() async throws {
    let sample = try RunSample()
    let script = sample.path("which.lua")
    try "return 'Notes'".write(toFile: script, atomically: true, encoding: .utf8)
    let text = """
      pipeline "P" { format = 1, models = "Notes.xcdatamodeld", target = "Notes 2" }
      stage "detect" { script = "which.lua" } stage "open" {}
      stage "copy" { drop { "Note.done" } }
      stage "transform" { entity = "Note", script = "notes_priority.lua" }
      stage "validate" {} stage "swap" {}
      """
    try await sample.run(sample.plan(text), RunOptions(until: "copy"))
    try "return 'Notes' --".write(toFile: script, atomically: true, encoding: .utf8)
    let error = await #expect(throws: Failure.self) { try await sample.run(sample.plan(text)) }
    #expect(error?.why.contains("script which.lua") == true)
  }

  @Test("a backup of another store, by its UUID, replaces a store only when that is forced")
  func otherUUID() async throws {
    let sample = try RunSample()
    let backup = sample.path("kept")
    _ = try StoreRecovery.backUp([sample.store], to: backup)
    try SampleStore.change(sample.store, by: "UPDATE Z_METADATA SET Z_UUID = 'ANOTHER-UUID'")
    let before = try sample.bytes()
    let recovery = try recovery(sample)
    let error = #expect(throws: Failure.self) { try recovery.restore(backup) }
    #expect(error?.kind == .misuse)
    #expect(error?.why.contains("ANOTHER-UUID") == true)
    #expect(try sample.bytes() == before)
    #expect(try recovery.restore(backup, force: true).warnings == [])
    #expect(
      try StoreRows.read("SELECT Z_UUID FROM Z_METADATA", at: sample.store) != ["ANOTHER-UUID"])
    // One that is not there may be made of any.
    let elsewhere = try StoreRecovery(store: sample.path("Elsewhere.sqlite"))
    #expect(try elsewhere.restore(backup).replaced == nil)
    // One that cannot be read is what a backup is for.
    try Data(repeating: 7, count: 8192).write(to: URL(filePath: sample.store))
    let damaged = #expect(throws: Failure.self) { try recovery.restore(backup) }
    #expect(damaged?.remedy.contains("Move it away") == true)
  }

  @Test("a restore that was killed once the store had its name is finished by the same command")
  func killedNamed() async throws {
    let sample = try RunSample()
    let (backup, rows) = (sample.path("kept"), try StoreRows.tables(at: sample.store))
    _ = try StoreRecovery.backUp([sample.store], to: backup)
    let log = sample.path("calls")
    await #expect(processExitsWith: .success) {
      [
        store = sample.path("First.sqlite") as String, backup = backup as String,
        log = log as String
      ]
      in
      EnvironmentVariable.set("PIPELINE_FAULTS_LOG", log)
      _ = try StoreRecovery(store: store).restore(backup)
    }
    let calls = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    let named = try #require(
      calls.firstIndex { $0.contains("rename") && $0.hasSuffix("/First.sqlite") })
    for place in [named + 2, calls.count] {
      let store = sample.path("Other \(place).sqlite")
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [store = store as String, backup = backup as String, place = place as Int] in
        EnvironmentVariable.set("PIPELINE_FAULTS", "kill:\(place)")
        _ = try StoreRecovery(store: store).restore(backup)
      }
      #expect(try StoreRows.tables(at: store) == rows)
      #expect(try StoreRecovery(store: store).restore(backup).replaced == nil)
      #expect(!FileManager.default.fileExists(atPath: store + ".pipeline/run"))
      try SampleStore.change(store, by: "UPDATE ZNOTE SET ZTITLE = 'mine' WHERE Z_PK = 1")
      #expect(throws: Failure.self) { try StoreRecovery(store: store).restore(backup) }
    }
  }

  @Test("a store that was moved with its work folder is restored from there; from elsewhere not")
  func moved() async throws {
    let sample = try RunSample()
    try await sample.run()
    let backup = try #require(try recovery(sample).status().backups.first?.path)
    let manager = FileManager.default
    try manager.createDirectory(atPath: sample.path("new"), withIntermediateDirectories: false)
    for name in ["Notes.sqlite", "Notes.sqlite.pipeline"] {
      try manager.moveItem(atPath: sample.path(name), toPath: sample.path("new/\(name)"))
    }
    let moved = try StoreRecovery(store: sample.path("new/Notes.sqlite"), wait: .zero)
    let name = URL(filePath: backup).lastPathComponent
    let inside = sample.path("new/Notes.sqlite.pipeline/backups/\(name)")
    try manager.copyItem(atPath: inside, toPath: sample.path("kept"))
    let error = #expect(throws: Failure.self) { try moved.restore(sample.path("kept")) }
    #expect(error?.why.hasPrefix("The backup is of another store: ") == true)
    #expect(try moved.restore(inside).warnings == [])
  }

  @Test("with the work folder elsewhere nothing is made next to the store")
  func work() async throws {
    let sample = try RunSample()
    let work = sample.path("elsewhere/work")
    try FileManager.default.createDirectory(
      atPath: sample.path("elsewhere"), withIntermediateDirectories: false)
    try await sample.run(nil, RunOptions(work: work))
    #expect(!FileManager.default.fileExists(atPath: sample.store + ".pipeline"))
    let recovery = try StoreRecovery(store: sample.store, work: work)
    #expect(try recovery.status().backups.count == 1)
    _ = try recovery.rollback()
    #expect(try sample.version() == "Notes")
    #expect(!FileManager.default.fileExists(atPath: sample.store + ".pipeline"))
  }

  @Test("cleaning leaves a run that can be resumed, and the backup it needs")
  func clean() async throws {
    let sample = try RunSample()
    try await sample.run()
    try await sample.run(
      sample.plan(force: true, to: "Notes 2"), RunOptions(until: "validate"))
    let recovery = try recovery(sample)
    #expect(try recovery.clean(keep: .count(0)).removed.count == 1)
    #expect(try recovery.status().run?.isResumable == true)
    let again = try sample.plan(force: true, to: "Notes 2")
    #expect(try await sample.run(again).outcome == .swapped)
    #expect(try recovery.clean(keep: .count(3)).removed.isEmpty)
    #expect(try recovery.status().run == nil)
    #expect(try recovery.status().backups.count == 1)
  }
}
