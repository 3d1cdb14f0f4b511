import CoreDataStore
import Foundation
import SQLite
import StoreMigration
import StorePipeline
import StoreReplacement
import StoreTestSupport
import TestSupport
import Testing

@Suite("Rejected objects", .temporaryFolder)
struct RejectRetryTests {
  private static let all = RetrySample.computing("Milk", "Bread", "Report")

  @Test("an object is put in with its key and its links, and waits no longer")
  func computed() async throws {
    let sample = try RetrySample()
    try await sample.run(RetrySample.computing("Milk", "Report"))
    #expect(try sample.rows("SELECT ZTITLE FROM ZNOTE ORDER BY Z_PK") == ["Milk", "Report"])
    #expect(try sample.waiting == 1)
    let summary = try await sample.retry(Self.all)
    #expect(summary.outcome == .swapped)
    #expect(summary.entities.map { "\($0.name) \($0.made) \($0.failed)" } == ["Note 1 0"])
    #expect(try sample.waiting == 0)
    #expect(
      try sample.rows("SELECT Z_PK, ZTITLE, ZPRIORITY, ZFOLDER FROM ZNOTE ORDER BY Z_PK") == [
        "1|Milk|1|1", "2|Bread|1|1", "3|Report|1|2",
      ])
    #expect(try sample.rows("SELECT * FROM Z_3NOTES ORDER BY 2") == ["1|1", "1|2"])
    #expect(FileManager.default.fileExists(atPath: try #require(summary.backup)))
    #expect(try await StoreVerification(store: sample.store).run().count == 0)
  }

  @Test("links to what a stage has merged lead to what took its place, in every later retry")
  func merged() async throws {
    let sample = try RetrySample(
      adding: """
        INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (2, 3, 1, 'home'), (3, 3, 1, 'home');
        INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (3, 1, 1, 'Old'), (4, 1, 1, 'Old');
        INSERT INTO Z_2TAGS VALUES (1, 3), (2, 3);
        UPDATE ZNOTE SET ZFOLDER = 4;
        UPDATE Z_PRIMARYKEY SET Z_MAX = 4;
        """)
    let stages = ["Label", "Folder"].map {
      "stage \"dedupe\" { entity = \"\($0)\", key = \"name\" }"
    }
    try await sample.run(
      RetrySample.computing("Report"), stages: stages.joined(separator: "\n"))
    #expect(try sample.waiting == 2)
    try await sample.retry(RetrySample.computing("Report", "Bread"))
    #expect(try sample.rows("SELECT * FROM Z_3NOTES ORDER BY 1, 2") == ["1|2", "2|2"])
    try await sample.retry(Self.all)
    #expect(
      try sample.rows("SELECT * FROM Z_3NOTES ORDER BY 1, 2") == ["1|1", "1|2", "2|1", "2|2"])
    #expect(
      try sample.rows("SELECT Z_PK, ZFOLDER FROM ZNOTE ORDER BY Z_PK") == ["1|3", "2|3", "3|3"])
    #expect(try sample.waiting == 0)
  }

  @Test("what an application has done since stays: no link is taken from anybody")
  func changedSince() async throws {
    let sample = try RetrySample()
    try await sample.run(RetrySample.computing("Milk", "Report"))
    try SampleStore.change(
      sample.store,
      by: """
        DELETE FROM ZFOLDER WHERE Z_PK = 1; UPDATE ZNOTE SET ZFOLDER = 2, ZTITLE = 'Tea';
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZCREATED, ZPINNED, ZPRIORITY)
        VALUES (4, 4, 1, 'Later', 1, 0, 0);
        UPDATE Z_PRIMARYKEY SET Z_MAX = 4 WHERE Z_NAME = 'Note'
        """)
    try await sample.retry(Self.all)
    #expect(
      try sample.rows("SELECT Z_PK, ZTITLE, ZFOLDER FROM ZNOTE ORDER BY Z_PK") == [
        "1|Tea|2", "2|Bread|NULL", "3|Tea|2", "4|Later|NULL",
      ])
  }

  @Test("one that fails again waits with its new reason, and nothing is written for it")
  func again() async throws {
    let sample = try RetrySample()
    try await sample.run(RetrySample.computing("Milk", "Report"))
    let bytes = try Data(contentsOf: URL(filePath: sample.store))
    let corrected = Self.all.replacing("\"Bread\"", with: "\"Cake\"")
      .replacing("a strange title", with: "a stranger title")
    let summary = try await sample.retry(corrected)
    #expect(summary.outcome == .failed)
    #expect(summary.status == 1)
    #expect(summary.waiting.map { "\($0.entity) \($0.key)" } == ["Note 2"])
    #expect(summary.waiting.first?.reason.contains("a stranger title") == true)
    #expect(try Data(contentsOf: URL(filePath: sample.store)) == bytes)
    #expect(try sample.waiting == 1)
    var reasons: [String] = []
    let earlier = try #require(summary.earlier)
    try RejectStore.forEach(
      at: sample.store + ".pipeline/rejects.sqlite", of: earlier, [earlier]
    ) { reject, later in
      if later == nil { reasons.append(reject.reason) }
    }
    #expect(reasons.count == 1)
    #expect(reasons.first?.contains("a stranger title") == true)
  }

  @Test("some go in and some wait on, until all are in; then there is nothing to do")
  func some() async throws {
    let sample = try RetrySample()
    try await sample.run(RetrySample.computing("Milk"))
    let first = try await sample.retry(RetrySample.computing("Bread"))
    #expect(first.entities.map { "\($0.name) \($0.made) \($0.failed)" } == ["Note 1 1"])
    #expect(try sample.waiting == 1)
    let second = try await sample.retry(Self.all)
    #expect(second.made == 1)
    #expect(try sample.rows("SELECT count(*) FROM ZNOTE") == ["3"])
    #expect(try await sample.retry().outcome == .nothing)
    #expect(try Store(sample.store).metadata.keys.contains("PipelineLog"))
  }

  @Test("a script that makes objects makes those of the object, relates them and leaves the others")
  func created() async throws {
    let sample = try RetrySample()
    try await sample.run(RetrySample.creating("Milk", "Report"))
    try SampleStore.change(sample.store, by: "UPDATE ZNOTE SET ZBODY = 'mine' WHERE Z_PK = 1")
    let summary = try await sample.retry(RetrySample.creating("Milk", "Bread", "Report"))
    #expect(summary.made == 1)
    #expect(
      try sample.rows("SELECT Z_PK, ZTITLE, ZBODY, ZFOLDER FROM ZNOTE ORDER BY Z_PK") == [
        "1|Milk|mine|1", "2|Bread|related|1", "3|Report|related|2",
      ])
    #expect(
      try sample.rows("SELECT ZFILENAME, ZNOTE FROM ZATTACHMENT ORDER BY Z_PK") == [
        "Milk|1", "Report|3", "Bread|2",
      ])
    #expect(try sample.rows("SELECT * FROM Z_3NOTES ORDER BY 2") == ["1|1", "1|2"])
  }

  @Test("a verification compares what a script made, and what a retry has put in later")
  func verified() async throws {
    let sample = try RetrySample()
    try await sample.run(RetrySample.creating("Milk", "Report"))
    try await sample.retry(RetrySample.creating("Milk", "Bread", "Report"))
    let summary = try await StoreVerification(store: sample.store).run()
    #expect(summary.objects == 9 && summary.count == 0 && summary.warnings == [])
    try SampleStore.change(
      sample.store,
      by: "UPDATE ZFOLDER SET ZNAME = 'x' WHERE Z_PK = 1; UPDATE ZATTACHMENT SET ZNOTE = 1")
    let changed = try await StoreVerification(store: sample.store).run()
    #expect(
      changed.differences.map { "\($0.entity) \($0.key) \($0.property)" }
        == ["Attachment 2 note", "Attachment 4 note", "Folder 1 name"])
  }

  @Test(
    "a script that counts what it is given makes the same when it is verified",
    arguments: ["", "stage \"dedupe\" { entity = \"Label\", key = \"name\" }"])
  func counted(stages: String) async throws {
    let sample = try RetrySample()
    try await sample.run(
      """
      local n = 0
      return { attributes = { priority = function(title, ctx)
        n = n + 1
        if title == "Milk" then ctx.reject("no milk") end
        return n
      end } }
      """, stages: stages)
    #expect(try sample.rows("SELECT ZPRIORITY FROM ZNOTE ORDER BY Z_PK") == ["2", "3"])
    let summary = try await StoreVerification(store: sample.store).run()
    #expect(summary.isSame, "\(summary)")
    try SampleStore.change(sample.store, by: "UPDATE ZNOTE SET ZPRIORITY = 9 WHERE Z_PK = 3")
    #expect(try await StoreVerification(store: sample.store).run().count == 1)
  }

  @Test("what an application changed before a retry is no difference of the retry's")
  func savedBefore() async throws {
    let sample = try RetrySample()
    try await sample.run(RetrySample.computing("Milk", "Report"))
    try SampleStore.change(
      sample.store, by: "UPDATE ZNOTE SET ZTITLE = 'Tea', Z_OPT = 9 WHERE Z_PK = 1")
    try await sample.retry(Self.all)
    let summary = try await StoreVerification(store: sample.store).run()
    #expect(!summary.isUntouched)
    #expect(summary.differences.map { "\($0.entity) \($0.key) \($0.isSince)" } == ["Note 1 true"])
  }

  @Test("after a rollback the objects wait again, and can be retried again")
  func rollback() async throws {
    let sample = try RetrySample()
    try await sample.run(RetrySample.computing("Milk", "Report"))
    try await sample.retry(Self.all)
    _ = try StoreRecovery(store: sample.store).rollback()
    #expect(try sample.waiting == 1)
    #expect(try sample.rows("SELECT count(*) FROM ZNOTE") == ["2"])
    try await sample.retry()
    #expect(try sample.rows("SELECT count(*) FROM ZNOTE") == ["3"])
    // With the run itself undone, the store has the object, and nothing waits.
    _ = try StoreRecovery(store: sample.store).rollback()
    _ = try StoreRecovery(store: sample.store).rollback()
    #expect(try sample.waiting == 0)
  }

  @Test("what would break a rule of the model is refused, and the store stays as it was")
  func invalid() async throws {
    let sample = try RetrySample(adding: "UPDATE ZNOTE SET ZCREATED = NULL WHERE Z_PK = 2;")
    try await sample.run(RetrySample.computing("Milk", "Report"))
    let bytes = try Data(contentsOf: URL(filePath: sample.store))
    let summary = try await sample.retry(Self.all)
    #expect(summary.outcome == .invalid)
    #expect(summary.failures.map { "\($0.entity) \($0.key) \($0.property)" } == ["Note 2 created"])
    #expect(try Data(contentsOf: URL(filePath: sample.store)) == bytes)
    #expect(try sample.waiting == 1)
  }

  @Test("where nothing was rejected there is nothing to do")
  func nothing() async throws {
    let sample = try RetrySample()
    try await sample.run(Self.all)
    #expect(try await sample.retry().outcome == .nothing)
  }

  @Test("without the backup of the run there is nothing to make the objects of")
  func gone() async throws {
    let sample = try RetrySample()
    let run = try await sample.run(RetrySample.computing("Milk", "Report"))
    try FileManager.default.removeItem(atPath: try #require(run.backup))
    let error = await #expect(throws: Failure.self) { try await sample.retry(Self.all) }
    #expect(error?.what == "cannot retry the objects")
  }

  @Test("with the only note of the run where a retry works it is refused, and all stays")
  func onlyNote() async throws {
    let sample = try RetrySample()
    try await sample.run(RetrySample.creating("Milk"))
    let first = try await sample.retry(RetrySample.creating("Milk", "Bread"))
    try FileManager.default.removeItem(atPath: try #require(first.backup))
    try sample.write(RetrySample.creating("Milk", "Bread", "Report"))
    let before = try FolderState(sample.folder)
    let error = await #expect(throws: Failure.self) { try await sample.retry() }
    #expect(error?.kind == .unusable && error?.why.contains("is gone") == true)
    #expect(try FolderState(sample.folder).difference(from: before) == [])
    #expect(try sample.waiting == 1)
    try sample.write(RetrySample.creating("Milk", "Bread"))
    #expect(try await StoreVerification(store: sample.store).run().count == 0)
  }

  @Test("a store that is mirrored to CloudKit is refused, and stays as it was")
  func mirrored() async throws {
    let sample = try RetrySample()
    try await sample.run(RetrySample.computing("Milk", "Report"))
    try SampleStore.change(sample.store, by: MirrorTablesSample.tables)
    let bytes = try Data(contentsOf: URL(filePath: sample.store))
    let error = await #expect(throws: Failure.self) { try await sample.retry(Self.all) }
    #expect(error?.kind == .unusable && error?.what == "cannot retry the objects")
    #expect(
      error?.why
        == "It is mirrored to CloudKit. Note: an object that its script fails on would be left "
        + "out, and stays on the server.")
    #expect(try Data(contentsOf: URL(filePath: sample.store)) == bytes)
    #expect(try sample.waiting == 1)
  }

  @Test(
    "whatever kills it, the same command resumes and the object is there once",
    arguments: [
      (ProgressEvent.Kind.stageStarted, "transform"), (.stageFinished, "transform"),
      (.stageStarted, "swap"), (.swapped, "swap"), (.stageFinished, "swap"),
    ])
  func killed(kind: ProgressEvent.Kind, stage: String) async throws {
    let sample = try RetrySample()
    try await sample.run(RetrySample.computing("Milk", "Report"))
    try sample.write(Self.all)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [folder = sample.folder as String, kind = kind.rawValue as String, stage = stage as String] in
      try await RetrySample(folder: folder).retry { event in
        guard event.kind.rawValue == kind, event.stage == stage else { return }
        kill(getpid(), SIGKILL)
      }
    }
    try await sample.retry()
    #expect(try sample.rows("SELECT Z_PK, ZTITLE FROM ZNOTE ORDER BY Z_PK").count == 3)
    #expect(try sample.waiting == 0)
    #expect(try await sample.retry().outcome == .nothing)
  }

  @Test("killed behind its exchange, then the application has the store: the retry is done")
  func inUse() async throws {
    let sample = try RetrySample()
    try await sample.run(RetrySample.computing("Milk", "Report"))
    try sample.write(Self.all)
    await #expect(processExitsWith: .signal(SIGKILL)) { [folder = sample.folder as String] in
      try await RetrySample(folder: folder).retry { event in
        if event.kind == .swapped { kill(getpid(), SIGKILL) }
      }
    }
    let folder = try WorkFolder(store: sample.store)
    var state = try #require(try RunState.read(folder))
    state.phase = .swapped
    try state.write(folder)
    let application = try Connection(path: sample.store, mode: .foreign)
    try application.execute("BEGIN")
    #expect(try application.integer("SELECT count(*) FROM ZNOTE") == 3)
    await #expect(processExitsWith: .exitCode(7)) { [folder = sample.folder as String] in
      let summary = try await RetrySample(folder: folder).retry()
      let isInUse = summary.warnings.contains { $0.contains("is in use") }
      exit(summary.status == 0 && isInUse ? 7 : 8)
    }
    try application.close()
    #expect(try await sample.retry().outcome == .swapped)
    #expect(try await sample.retry().outcome == .nothing)
  }

  @Test(
    "killed before its exchange, then the application writes: the retry starts over, and says so")
  func writtenSince() async throws {
    let sample = try RetrySample()
    try await sample.run(RetrySample.computing("Milk", "Report"))
    try sample.write(Self.all)
    await #expect(processExitsWith: .signal(SIGKILL)) { [folder = sample.folder as String] in
      try await RetrySample(folder: folder).retry { event in
        if event.kind == .stageStarted, event.stage == "swap" { kill(getpid(), SIGKILL) }
      }
    }
    let folder = try WorkFolder(store: sample.store)
    var state = try #require(try RunState.read(folder))
    state.phase = .swapping
    try state.write(folder)
    try SampleStore.change(sample.store, by: "UPDATE ZNOTE SET ZTITLE = 'Tea' WHERE Z_PK = 1")
    let summary = try await sample.retry()
    #expect(summary.outcome == .swapped)
    #expect(summary.warnings.contains { $0.contains("starts over") }, "\(summary.warnings)")
    #expect(
      try sample.rows("SELECT ZTITLE FROM ZNOTE ORDER BY Z_PK") == ["Tea", "Bread", "Report"])
    #expect(try sample.waiting == 0)
  }
}
