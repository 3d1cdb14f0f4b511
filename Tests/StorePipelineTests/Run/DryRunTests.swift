import CoreDataStore
import Foundation
import SQLite
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Dry runs", .temporaryFolder, .serialized)
struct DryRunTests {
  /// Every file and folder of the test's folder with its times, size and bytes.
  private static func state() throws -> [String: String] {
    let folder = TemporaryFolder.url
    var state: [String: String] = [:]
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    for name in (names ?? []) + ["."] {
      let file = folder.appending(path: name)
      let facts = try FileManager.default.attributesOfItem(atPath: file.path)
      let isFolder = facts[.type] as? FileAttributeType == .typeDirectory
      let bytes = isFolder ? nil : try Data(contentsOf: file)
      let times = "\(facts[.modificationDate] ?? "") \(facts[.posixPermissions] ?? "")"
      state[name] = "\(times) \(facts[.size] ?? "") \(bytes?.hashValue ?? 0)"
    }
    return state
  }

  /// The folders that dry runs have left where the system has files that do not last.
  private static func leftovers() throws -> Set<String> {
    let folder = FileManager.default.temporaryDirectory.path
    return Set(
      try FileManager.default.contentsOfDirectory(atPath: folder)
        .filter { $0.hasPrefix("pipeline-dry-") })
  }

  static let states = ["plain", "wal", "log", "resumable", "locked folder"]

  @Test(
    "nothing next to the store is touched, however the store is found, nor anything left behind",
    arguments: states)
  func untouched(state: String) async throws {
    let sample = try RunSample()
    switch state {
    case "wal", "log":
      let connection = try Connection(path: sample.store, mode: .own(create: false))
      _ = try connection.setJournalMode("WAL")
      try connection.execute("UPDATE ZNOTE SET ZTITLE = 'Tea' WHERE Z_PK = 1")
      if state == "log" {
        try Self.leaveLog(of: connection, sample)
      } else {
        try connection.close()
      }
    case "resumable": try await sample.run(nil, RunOptions(until: "copy"))
    case "locked folder":
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o555], ofItemAtPath: TemporaryFolder.url.path)
    default: break
    }
    let plan = try sample.plan()
    let before = try Self.state()
    var options = RunOptions()
    options.dryRun = DryRun()
    let summary = try await sample.run(plan, options)
    #expect(summary.outcome == .dryRun(kept: nil))
    #expect(summary.entities.map(\.objectsAfter) == [2, 3, 1])
    #expect(try Self.state() == before)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: TemporaryFolder.url.path)
  }

  @Test("values that would be lost are counted by property, in its JSON, too")
  func lost() async throws {
    let sample = try RunSample()
    var options = RunOptions()
    options.dryRun = DryRun()
    let summary = try await sample.run(nil, options)
    #expect(summary.outcome == .dryRun(kept: nil))
    #expect(summary.lost == ["Note.done": 3])
    #expect(JSONRunSummary(summary).text.contains("\"lost\": {\n    \"Note.done\": 3"))
  }

  /// Leaves the store as a killed application does: with a -wal that holds its last changes.
  private static func leaveLog(of connection: Connection, _ sample: RunSample) throws {
    let files = FileManager.default
    for suffix in ["", "-wal", "-shm"] {
      try files.copyItem(atPath: sample.store + suffix, toPath: sample.path("kept\(suffix)"))
    }
    try connection.close()
    for suffix in ["", "-wal", "-shm"] {
      try? files.removeItem(atPath: sample.store + suffix)
      try files.moveItem(atPath: sample.path("kept\(suffix)"), toPath: sample.store + suffix)
    }
  }

  @Test("what is in a -wal is seen") func log() async throws {
    let sample = try RunSample()
    let connection = try Connection(path: sample.store, mode: .own(create: false))
    _ = try connection.setJournalMode("WAL")
    try connection.execute("UPDATE ZNOTE SET ZTITLE = 'Tea' WHERE Z_PK = 1")
    try Self.leaveLog(of: connection, sample)
    var options = RunOptions()
    options.dryRun = DryRun(keep: sample.path("Kept.sqlite"))
    try await sample.run(nil, options)
    #expect(
      try StoreRows.read("SELECT ZTITLE FROM ZNOTE ORDER BY Z_PK", at: sample.path("Kept.sqlite"))
        == ["Tea", "Bread", "Report"])
  }

  @Test("a resumable run of the same store resumes afterwards") func resumable() async throws {
    let sample = try RunSample()
    let first = try await sample.run(nil, RunOptions(until: "copy"))
    var options = RunOptions()
    options.dryRun = DryRun()
    let dry = try await sample.run(nil, options)
    #expect(dry.run != first.run)
    let second = try await sample.run()
    #expect(second.run == first.run)
    #expect(second.outcome == .swapped)
  }

  @Test("the result is kept where it is wanted, the same as that of a run, and not written over")
  func keep() async throws {
    let sample = try RunSample()
    var options = RunOptions()
    options.dryRun = DryRun(keep: sample.path("Kept.sqlite"))
    let summary = try await sample.run(nil, options)
    #expect(summary.outcome == .dryRun(kept: sample.path("Kept.sqlite")))
    try await sample.run(nil, RunOptions(output: sample.path("Made.sqlite")))
    #expect(
      try StoreRows.tables(at: sample.path("Kept.sqlite"))
        == StoreRows.tables(at: sample.path("Made.sqlite")))
    let error = await #expect(throws: Failure.self) { try await sample.run(nil, options) }
    #expect(error?.why == "Something is there already.")
  }

  @Test("a sample has so many objects of each entity, and says of how many") func sampled()
    async throws
  {
    let sample = try RunSample()
    var options = RunOptions()
    options.dryRun = DryRun(sample: 1, keep: sample.path("Kept.sqlite"))
    let findings = try await Run(sample.plan(), store: sample.store, options: options).findings()
    let entities = findings.summary.entities
    #expect(entities.map(\.objectsInAll) == [2, 3, 1])
    // The note of the tag, and the first one; the folder of both.
    #expect(entities.map(\.objectsBefore) == [1, 2, 1])
    #expect(entities.map(\.objectsAfter) == [1, 2, 1])
    #expect(findings.report?.verdict.hasPrefix("A sample: 4 of 6 objects.") == true)
    #expect(
      try StoreRows.read("SELECT Z_PK FROM ZNOTE", at: sample.path("Kept.sqlite")) == ["1", "2"])
  }

  @Test("rules that would be broken end it with 1, and what is different is reported all the same")
  func invalid() async throws {
    let sample = try RunSample()
    let text = try String(contentsOfFile: sample.path("notes.pipeline"), encoding: .utf8)
      .replacing("\"count(Label)\"", with: "\"count(Note)\"")
    var options = RunOptions()
    options.dryRun = DryRun(keep: sample.path("Kept.sqlite"))
    let findings = try await Run(sample.plan(text), store: sample.store, options: options)
      .findings()
    #expect(findings.summary.outcome == .invalid)
    #expect(findings.summary.status == 1)
    #expect(findings.report?.changeCount == 3)
    #expect(findings.report?.title == "What the migration would have changed")
    #expect(!FileManager.default.fileExists(atPath: sample.path("Kept.sqlite")))
  }

  @Test("stages that touch files are left out") func stages() async throws {
    let sample = try RunSample()
    let text = try String(contentsOfFile: sample.path("notes.pipeline"), encoding: .utf8)
      .replacing(
        "stage \"swap\" {}",
        with: """
          stage "backup" { to = "backups" }
          stage "report" { to = "report.html" }
          stage "swap" {}
          """)
    let plan = try sample.plan(text)
    let before = try Self.state()
    var options = RunOptions()
    options.dryRun = DryRun()
    let recorder = Recorder()
    _ = try await sample.run(plan, options) { recorder.add($0) }
    #expect(try Self.state() == before)
    let stages = recorder.all.filter { $0.kind == .stageStarted }.compactMap(\.stage)
    #expect(
      stages == [
        "detect", "open", "copy", "transform", "connect", "finish", "validate", "verify",
        "compare",
      ])
  }

  @Test("one that is stopped leaves nothing behind") func stopped() async throws {
    let sample = try RunSample()
    let work = sample.path("work")
    try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: false)
    let plan = try sample.plan()
    var options = RunOptions(work: work)
    options.dryRun = DryRun()
    let run = Run(plan, store: sample.store, options: options)
    let (signals, signal) = AsyncStream<Void>.makeStream()
    let isLetGo = DispatchSemaphore(value: 0)
    let task = Task {
      try await run.execute { event in
        guard event.kind == .stageStarted, event.stage == "compare" else { return }
        signal.finish()
        isLetGo.wait()
      }
    }
    for await _ in signals {}
    task.cancel()
    isLetGo.signal()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try FileManager.default.contentsOfDirectory(atPath: work) == [])
    #expect(!FileManager.default.fileExists(atPath: sample.store + ".pipeline"))
  }

  @Test("a script that fails ends it, and leaves nothing behind") func failed() async throws {
    let sample = try RunSample(adding: "UPDATE ZNOTE SET ZPRIORITY = 'odd' WHERE Z_PK = 2;")
    let plan = try sample.plan()
    let before = try Self.state()
    var options = RunOptions()
    options.dryRun = DryRun()
    await #expect(throws: ScriptFailure.self) { try await sample.run(plan, options) }
    #expect(try Self.state() == before)
  }

  @Test("a store of the target version has nothing to show") func upToDate() async throws {
    let sample = try RunSample()
    var options = RunOptions()
    options.dryRun = DryRun()
    let findings = try await Run(sample.plan(to: "Notes"), store: sample.store, options: options)
      .findings()
    #expect(findings.summary.outcome == .upToDate)
    #expect(findings.report?.verdict == "The store is of the version Notes already.")
  }
}
