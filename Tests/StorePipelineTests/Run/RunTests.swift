import CoreDataStore
import Foundation
import SQLite
import StorePipeline
import StoreReplacement
import StoreTestSupport
import TestSupport
import Testing

@Suite("Runs", .temporaryFolder)
struct RunTests {
  @Test("a run puts the new store in the old one's place, and keeps a backup")
  func swap() async throws {
    let sample = try RunSample()
    let summary = try await sample.run()
    #expect(summary.outcome == .swapped)
    #expect(summary.status == 0)
    #expect(try sample.version() == "Notes 2")
    #expect(
      try StoreRows.read("SELECT Z_PK, ZTITLE, ZPRIORITY FROM ZNOTE", at: sample.store)
        == ["1|Milk|1", "2|Bread|0", "3|Report|-1"])
    #expect(
      try StoreRows.read("SELECT count(*) FROM Z_3NOTES", at: sample.store) == ["2"])
    let backup = try #require(summary.backup)
    #expect(FileManager.default.fileExists(atPath: "\(backup)/Notes.sqlite"))
    let names = summary.entities.map { "\($0.name) \($0.objectsBefore) \($0.objectsAfter)" }
    #expect(names == ["Folder 2 2", "Note 3 3", "Tag 1 1"])
    #expect(summary.entities.map(\.target) == ["Folder", "Note", "Label"])
    let log = try Store(sample.store).metadata.keys
    #expect(log.contains("PipelineLog"))
  }

  @Test("with an output the old store stays as it was, and nothing is written over")
  func output() async throws {
    let sample = try RunSample()
    let before = try sample.bytes()
    let options = RunOptions(output: sample.path("New.sqlite"))
    let summary = try await sample.run(nil, options)
    #expect(summary.outcome == .written(sample.path("New.sqlite")))
    #expect(try sample.bytes() == before)
    #expect(try sample.version("New.sqlite") == "Notes 2")
    let error = await #expect(throws: Failure.self) { try await sample.run(nil, options) }
    #expect(error?.why == "Something is there already.")
  }

  @Test(
    "the new store has the journal mode of the old one, elsewhere too",
    arguments: ["wal", "delete"])
  func journal(mode: String) async throws {
    let sample = try RunSample()
    let connection = try Connection(path: sample.store, mode: .own(create: false))
    _ = try connection.setJournalMode(mode)
    try connection.close()
    try await sample.run(nil, RunOptions(output: sample.path("New.sqlite")))
    let result = try Connection(path: sample.path("New.sqlite"), mode: .own(create: false))
    #expect(try result.string("PRAGMA journal_mode") == mode)
    try result.close()
  }

  @Test(
    "what the store's file carries in addition to its content is the new store's, and the backup's",
    arguments: ["replace", "rename"])
  func attributes(method: String) async throws {
    let sample = try RunSample()
    // tmpfs of an older Linux has none.
    try #require(ExtendedAttribute.set("user.kept", "yes", of: sample.store))
    let text = try String(contentsOfFile: sample.path("notes.pipeline"), encoding: .utf8)
      .replacing("stage \"swap\" {}", with: "stage \"swap\" { method = \"\(method)\" }")
    let summary = try await sample.run(sample.plan(text))
    #expect(summary.outcome == .swapped)
    #expect(ExtendedAttribute.has("user.kept", of: sample.store))
    let backup = try #require(summary.backup)
    #expect(ExtendedAttribute.has("user.kept", of: "\(backup)/Notes.sqlite"))
  }

  @Test("a store of the target version is left alone, without a work folder")
  func upToDate() async throws {
    let sample = try RunSample()
    let summary = try await sample.run(sample.plan(to: "Notes"))
    #expect(summary.outcome == .upToDate)
    #expect(!FileManager.default.fileExists(atPath: sample.store + ".pipeline"))
  }

  @Test("forced to its own version, a store gets the same objects, row for row")
  func force() async throws {
    let sample = try RunSample()
    let before = try StoreRows.tables(at: sample.store)
    let summary = try await sample.run(sample.plan(force: true, to: "Notes"))
    #expect(summary.outcome == .swapped)
    #expect(try StoreRows.tables(at: sample.store) == before)
  }

  @Test("a run that stopped early resumes, and the result is that of a whole run")
  func until() async throws {
    let sample = try RunSample()
    let whole = RunOptions(output: sample.path("Whole.sqlite"))
    try await sample.run(nil, whole)
    let first = try await sample.run(nil, RunOptions(until: "copy"))
    #expect(first.outcome == .stopped(after: "copy"))
    #expect(try sample.version() == "Notes")
    let second = try await sample.run()
    #expect(second.outcome == .swapped)
    #expect(second.run == first.run)
    #expect(
      try StoreRows.tables(at: sample.store)
        == StoreRows.tables(at: sample.path("Whole.sqlite")))
  }

  @Test("a run is not resumed when its script has changed, unless it starts over")
  func changed() async throws {
    let sample = try RunSample()
    try await sample.run(nil, RunOptions(until: "transform"))
    let script = sample.path("notes_priority.lua")
    let text = try String(contentsOfFile: script, encoding: .utf8)
    try (text + "-- changed\n").write(toFile: script, atomically: true, encoding: .utf8)
    let error = await #expect(throws: Failure.self) { try await sample.run() }
    #expect(error?.why.contains("script notes_priority.lua") == true)
    let summary = try await sample.run(nil, RunOptions(restarts: true))
    #expect(summary.outcome == .swapped)
  }

  @Test("a run is not resumed when the script that detects the version has changed")
  func changedDetection() async throws {
    let sample = try RunSample()
    let script = sample.path("which.lua")
    let text = Self.failing.replacing(
      "stage \"detect\" {}", with: "stage \"detect\" { script = \"which.lua\" }")
    try "return 'Notes'".write(toFile: script, atomically: true, encoding: .utf8)
    try await sample.run(sample.plan(text), RunOptions(until: "copy"))
    try "return versions[1]".write(toFile: script, atomically: true, encoding: .utf8)
    let error = await #expect(throws: Failure.self) { try await sample.run(sample.plan(text)) }
    #expect(error?.why.contains("script which.lua") == true)
  }

  @Test("a stage to stop at must be one of the run's")
  func unknownStage() async throws {
    let sample = try RunSample()
    let error = await #expect(throws: Failure.self) {
      try await sample.run(nil, RunOptions(until: "valdate"))
    }
    #expect(error?.why.contains("validate") == true)
  }

  private static let failing = """
    pipeline "P" { format = 1, models = "Notes.xcdatamodeld" }
    stage "detect" {} stage "open" {}
    stage "copy" { drop { "Note.done" }, where { entity = "Folder", "name = 'Home'" } }
    stage "transform" { entity = "Note", script = "notes_priority.lua" }
    stage "validate" {
      expect = { { "no folder is lost", source = "count(Folder)", destination = "count(Folder)" } },
    }
    stage "swap" {}
    """

  @Test("what does not hold is an answer, and the old store stays as it was")
  func invalid() async throws {
    let sample = try RunSample()
    let before = try sample.bytes()
    let summary = try await sample.run(sample.plan(Self.failing))
    #expect(summary.outcome == .invalid)
    #expect(summary.status == 1)
    #expect(summary.failures.map(\.property) == ["no folder is lost"])
    #expect(summary.warnings.contains("Folder: 1 object left out by 'where'"))
    #expect(try sample.bytes() == before)
  }

  @Test("events tell of stages in their order, and of the end")
  func events() async throws {
    let sample = try RunSample()
    let events = Recorder()
    try await sample.run { events.add($0) }
    #expect(events.all.first?.kind == .runStarted)
    #expect(events.all.last?.kind == .runFinished)
    #expect(events.all.last?.status == 0)
    #expect(
      events.all.filter { $0.kind == .stageStarted }.map(\.stage) == [
        "detect", "open", "copy", "transform", "connect", "finish", "validate", "verify", "swap",
      ])
    #expect(events.all.filter { $0.kind == .swapped }.count == 1)
  }

  @Test("a cancelled run throws, leaves the old store, and can be resumed")
  func cancellation() async throws {
    let sample = try RunSample()
    let before = try sample.bytes()
    let plan = try sample.plan()
    let store = sample.store
    let (reached, continuation) = AsyncStream<Void>.makeStream()
    let gate = DispatchSemaphore(value: 0)
    let task = Task {
      try await Run(plan, store: store).execute { event in
        guard event.kind == .stageStarted, event.stage == "transform" else { return }
        continuation.finish()
        gate.wait()
      }
    }
    for await _ in reached {}
    task.cancel()
    gate.signal()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try sample.bytes() == before)
    #expect(try await sample.run().outcome == .swapped)
  }

  @Test("tables of CloudKit stay behind when the file asks for it, and are counted")
  func cloudKit() async throws {
    let sample = try RunSample(
      adding: "CREATE TABLE ANSCKEVENT (Z_PK INTEGER); INSERT INTO ANSCKEVENT VALUES (1), (2);")
    let text = Self.failing.replacing(
      ", where { entity = \"Folder\", \"name = 'Home'\" }", with: "")
    let error = #expect(throws: Failure.self) { try sample.plan(text) }
    #expect(error?.remedy.contains("stage \"open\" { cloudkit = \"carry\" }") == true)
    let asked = text.replacing("stage \"open\" {}", with: "stage \"open\" { cloudkit = \"drop\" }")
    let summary = try await sample.run(sample.plan(asked))
    #expect(summary.outcome == .swapped)
    #expect(
      summary.warnings.contains {
        $0.hasPrefix("CloudKit: the run leaves 1 table with 2 rows behind;")
      })
    #expect(
      try StoreRows.read(
        "SELECT name FROM sqlite_master WHERE name LIKE 'ANSCK%'", at: sample.store)
        == [])
  }

  @Test(
    "the report goes to a file in the form that its name ends in",
    arguments: [
      ("r.json", "\"status\""), ("r.html", "<html"), ("r.md", "### What the migration changed"),
    ])
  func report(name: String, part: String) async throws {
    let sample = try RunSample()
    try await sample.run(nil, RunOptions(report: sample.path(name)))
    let text = try String(contentsOfFile: sample.path(name), encoding: .utf8)
    #expect(text.contains(part) && text.contains("Notes 2"))
  }

  @Test("a report that has no form or would write over something is refused before the run")
  func refusedReport() async throws {
    let sample = try RunSample()
    try Data().write(to: URL(filePath: sample.path("r.md")))
    for name in ["r.md", "r.txt", "r"] {
      await #expect(throws: Failure.self) {
        try await sample.run(nil, RunOptions(report: sample.path(name)))
      }
    }
    #expect(!FileManager.default.fileExists(atPath: sample.store + ".pipeline"))
  }

  @Test(
    "a run that stopped behind its report resumes, and writes over nobody else's",
    arguments: ["r.json", "r.md", "r.html"])
  func reportAgain(name: String) async throws {
    let sample = try RunSample()
    let stage = "stage \"report\" { to = \"\(name)\" }\nstage \"swap\""
    let plan = try sample.plan(
      String(contentsOfFile: sample.path("notes.pipeline"), encoding: .utf8)
        .replacing("stage \"swap\"", with: stage))
    try Data("mine".utf8).write(to: URL(filePath: sample.path(name)))
    for _ in 1...2 {
      await #expect(throws: Failure.self) { try await sample.run(plan) }
      #expect(try sample.bytes(name) == Data("mine".utf8))
    }
    try FileManager.default.removeItem(atPath: sample.path(name))
    try await sample.run(plan, RunOptions(until: "report"))
    #expect(try await sample.run(plan).outcome == .swapped)
  }

  /// The sample's plan with a stage below its swap.
  private static func plan(_ sample: RunSample, adding stage: String) throws -> Plan {
    try sample.plan(
      String(contentsOfFile: sample.path("notes.pipeline"), encoding: .utf8) + stage)
  }

  /// A name that no file system takes, which shows when the file is written.
  private static let longName = String(repeating: "r", count: 300) + ".md"

  @Test("what fails behind the swap is a warning: the new store is in its place")
  func behindSwap() async throws {
    let sample = try RunSample()
    let plan = try Self.plan(sample, adding: "stage \"report\" { to = \"\(Self.longName)\" }\n")
    let summary = try await sample.run(plan)
    #expect(summary.outcome == .swapped && summary.status == 0)
    #expect(summary.warnings.last?.hasPrefix("cannot write the report: ") == true)
    #expect(try sample.version() == "Notes 2")
  }

  @Test("a run that is to end after the swap has replaced the store, and says what it left out")
  func untilSwap() async throws {
    let sample = try RunSample()
    let plan = try Self.plan(sample, adding: "stage \"report\" { to = \"after.md\" }\n")
    let summary = try await sample.run(plan, RunOptions(until: "swap"))
    #expect(summary.outcome == .swapped)
    #expect(summary.warnings.last?.hasSuffix("in its place: report") == true)
    #expect(try sample.version() == "Notes 2")
  }

  @Test("a new store that goes elsewhere leaves the old one to later commands")
  func untilOutput() async throws {
    let sample = try RunSample()
    let plan = try Self.plan(sample, adding: "stage \"report\" { to = \"after.md\" }\n")
    let options = RunOptions(output: sample.path("out.sqlite"), until: "swap")
    let summary = try await sample.run(plan, options)
    #expect(summary.warnings.last?.hasSuffix("these stages did not run: report") == true)
  }

  @Test("a report that cannot be written is a warning: the new store is in its place")
  func unwrittenReport() async throws {
    let sample = try RunSample()
    let summary = try await sample.run(nil, RunOptions(report: sample.path(Self.longName)))
    #expect(summary.outcome == .swapped)
    #expect(summary.warnings.last?.hasPrefix("cannot write the report: ") == true)
  }

  @Test("a backup's place is checked before a run that starts over, and above `detect` always")
  func backupPlace() async throws {
    let sample = try RunSample()
    let place = "stage \"backup\" { to = \"kept\" }\n"
    let text = Self.failing.replacing("stage \"detect\"", with: place + "stage \"detect\"")
      .replacing(", where { entity = \"Folder\", \"name = 'Home'\" }", with: "")
    let first = try await sample.run(sample.plan(text), RunOptions(until: "copy"))
    // A run that starts over takes its own backup, as long as that is of the store as it is; with
    // another one it would fail after an hour.
    let second = try await sample.run(sample.plan(text), RunOptions(until: "copy", restarts: true))
    #expect(second.run != first.run)
    try SampleStore.change(sample.store, by: "UPDATE ZNOTE SET ZTITLE = 'other' WHERE Z_PK = 1")
    let error = await #expect(throws: Failure.self) {
      try await sample.run(sample.plan(text), RunOptions(restarts: true))
    }
    #expect(error?.kind == .misuse)
    #expect(try RunState.read(WorkFolder(store: sample.store))?.run == second.run)
    try FileManager.default.removeItem(atPath: sample.path("kept"))
    let third = try await sample.run(sample.plan(text), RunOptions(restarts: true))
    #expect(third.outcome == .swapped)
    let current = await #expect(throws: Failure.self) {
      try await sample.run(sample.plan(text))
    }
    #expect(current?.kind == .misuse)
  }

  @Test("the metadata that a stage sets and removes is in the new store, and its identity")
  func metadata() async throws {
    let sample = try RunSample()
    let old = try Store(sample.store).metadata.uuid
    let stage = """
      stage "metadata" { remove = "launch*", set = { migrated = true }, uuid = "new" }
      stage "swap" {}
      """
    let text = Self.failing.replacing("stage \"swap\" {}", with: stage)
      .replacing(", where { entity = \"Folder\", \"name = 'Home'\" }", with: "")
    let own = sample.path("own-backup")
    _ = try StoreRecovery.backUp([sample.store], to: own)
    let summary = try await sample.run(sample.plan(text))
    #expect(summary.outcome == .swapped)
    let new = try Store(sample.store).metadata
    #expect(new.applicationKeys == ["lastOpenedBy", "migrated"])
    #expect(new.uuid != old)
    // The way back that the summary prints is open, though the store has another UUID by now.
    let backup = try #require(summary.backup)
    let recovery = try StoreRecovery(store: sample.store)
    let replaced = try #require(try recovery.restore(backup).replaced)
    #expect(try Store(sample.store).metadata.uuid == old)
    // So are the ways to what the run made, and to what there was before it.
    _ = try recovery.restore(replaced)
    #expect(try Store(sample.store).metadata.uuid == new.uuid)
    _ = try recovery.restore(own)
    #expect(try Store(sample.store).metadata.uuid == old)
  }
}
