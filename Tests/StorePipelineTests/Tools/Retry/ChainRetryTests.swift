import CoreDataStore
import Foundation
import StoreMigration
import StorePipeline
import StoreReplacement
import StoreTestSupport
import TestSupport
import Testing

@Suite("Rejected objects of a chain", .temporaryFolder)
struct ChainRetryTests {
  private typealias Knowing = ChainSample.Knowing

  private static let some = ["one", "three"]

  @Test(
    "an object goes through all later steps, with its links to what is there",
    arguments: [
      Knowing(size: some), Knowing(writer: some), Knowing(label: some),
    ])
  func put(_ knowing: ChainSample.Knowing) async throws {
    let sample = try ChainSample(knowing)
    try await sample.run()
    #expect(try sample.notes.map { $0.prefix(5) } == ["1|one", "3|thr"])
    #expect(try sample.waiting == 1)
    let summary = try await sample.retry(Knowing())
    #expect(summary.outcome == .swapped)
    #expect(summary.entities.map { "\($0.name) \($0.made) \($0.failed)" } == ["Note 1 0"])
    #expect(try sample.notes == ChainSample.whole)
    #expect(try sample.rows("SELECT ZNAME FROM ZPERSON ORDER BY ZNAME") == ["o", "t"])
    #expect(try sample.waiting == 0)
    #expect(try await sample.retry().outcome == .nothing)
    #expect(try await StoreVerification(store: sample.store).run().count == 0)
  }

  @Test("a script is found again from another folder than that in which the run began")
  func elsewhere() async throws {
    let sample = try ChainSample(Knowing(writer: Self.some))
    try await sample.run()
    // In another folder there may be another script of this name.
    try SampleStore.change(
      sample.store + ".pipeline/rejects.sqlite",
      by: """
        UPDATE rejects SET step = '', script = 'there/' || replace(script, rtrim(script,
        replace(script, '/', '')), '')
        """)
    #expect(try await sample.retry(Knowing()).outcome == .nothing)
    try SampleStore.change(
      sample.store + ".pipeline/rejects.sqlite",
      by: "UPDATE rejects SET script = '../' || substr(script, 7)")
    #expect(try await sample.retry().outcome == .swapped)
    #expect(try sample.waiting == 0)
  }

  @Test("objects of all steps go in at once")
  func all() async throws {
    let sample = try ChainSample(
      Knowing(size: ["two", "three"], writer: ["one", "three"], label: ["one", "two"]))
    try await sample.run()
    #expect(try sample.notes == [])
    let summary = try await sample.retry(Knowing())
    #expect(summary.entities.map { "\($0.name) \($0.made) \($0.failed)" } == ["Note 3 0"])
    #expect(try sample.notes == ChainSample.whole)
    #expect(try await StoreVerification(store: sample.store).run().count == 0)
  }

  @Test("one retry after the other, each finds what the last one has made")
  func several() async throws {
    let sample = try ChainSample(Knowing(size: ["one"]))
    try await sample.run()
    #expect(try await sample.retry(Knowing(size: ["one", "three"])).made == 1)
    try SampleStore.change(
      sample.store,
      by: """
        INSERT INTO ZCOPY (Z_PK, Z_ENT, Z_OPT, ZNAME)
        SELECT Z_MAX + 1, Z_ENT, 1, 'mine' FROM Z_PRIMARYKEY WHERE Z_NAME = 'Copy';
        UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_NAME = 'Copy'
        """)
    #expect(try await sample.retry(Knowing()).made == 1)
    #expect(try sample.notes == ChainSample.whole)
    #expect(try sample.rows("SELECT count(*) FROM ZCOPY WHERE ZNAME = 'mine'") == ["1"])
    #expect(try await sample.retry().outcome == .nothing)
  }

  @Test("what an application has done since stays")
  func changedSince() async throws {
    let sample = try ChainSample(Knowing(size: Self.some))
    try await sample.run()
    try SampleStore.change(
      sample.store,
      by: "DELETE FROM ZFOLDER WHERE Z_PK = 1; UPDATE ZNOTE SET ZFOLDER = NULL, ZTITLE = 'mine'")
    try await sample.retry(Knowing())
    #expect(
      try sample.rows("SELECT Z_PK, ZTITLE, ZFOLDER FROM ZNOTE ORDER BY Z_PK")
        == ["1|mine|NULL", "2|two|NULL", "3|mine|NULL"])
  }

  @Test("one that a later step rejects waits on, with that step's reason; the others go in")
  func rejectedLater() async throws {
    let sample = try ChainSample(Knowing(size: ["one"]))
    try await sample.run()
    let summary = try await sample.retry(Knowing(writer: ["one", "two"]))
    #expect(summary.outcome == .swapped)
    #expect(summary.entities.map { "\($0.name) \($0.made) \($0.failed)" } == ["Note 1 1"])
    #expect(try sample.notes == Array(ChainSample.whole.prefix(2)))
    let reason = try #require(summary.waiting.first?.reason)
    #expect(reason.contains("no writer"))
    #expect(summary.waiting.first?.script.hasSuffix("writer.lua") == true)
    #expect(summary.waiting.first?.line == 5)
    #expect(reason.contains("in the step to 'App 3'"), "\(reason)")
    #expect(try sample.waiting == 1)
    #expect(try await sample.retry(Knowing()).made == 1)
    #expect(try sample.notes == ChainSample.whole)
    #expect(try sample.waiting == 0)
  }

  @Test("where a later step rejects them all, the store stays as it is", arguments: [true, false])
  func allRejectedLater(isLast: Bool) async throws {
    let sample = try ChainSample(Knowing(size: Self.some))
    try await sample.run()
    let bytes = try Data(contentsOf: URL(filePath: sample.store))
    let summary = try await sample.retry(
      isLast ? Knowing(label: Self.some) : Knowing(writer: Self.some))
    #expect(summary.outcome == .failed && summary.status == 1)
    #expect(summary.waiting.map { "\($0.entity) \($0.key)" } == ["Note 2"])
    #expect(try Data(contentsOf: URL(filePath: sample.store)) == bytes)
    #expect(try sample.waiting == 1)
  }

  @Test("a script that now makes other objects of those that went through is refused")
  func changedScripts() async throws {
    let sample = try ChainSample(Knowing(size: Self.some))
    try await sample.run()
    try sample.write(Knowing())
    let path = sample.folder.path("writer.lua")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try sample.folder.write(
      text.replacing("return copy", with: "new.Copy { name = 'more' }\nreturn copy"),
      to: "writer.lua")
    let before = try FolderState(sample.folder.url.path)
    let error = await #expect(throws: Failure.self) { try await sample.retry() }
    let why = try #require(error).why
    #expect(why.contains("make other objects from those"))
    #expect(error?.remedy.contains("rollback") == true)
    #expect(try FolderState(sample.folder.url.path).difference(from: before) == [])
    #expect(try StoreRecovery(store: sample.store).status().run?.isResumable != true)
    #expect(try sample.waiting == 1)
  }

  @Test("a script that two steps give the same entity: each object begins in its own step")
  func sameScript() async throws {
    let sample = try ChainSample()
    let same = """
      step "App 2" {
        stage "copy" {},
        stage "transform" { entity = "Note", script = "same.lua", on_error = "reject" },
      }
      step "App 3" {
        stage "copy" {},
        stage "transform" { entity = "Note", script = "same.lua", on_error = "reject" },
      }
      """
    func write(_ known: String) throws {
      try sample.folder.write(
        "return { attributes = { title = function(title) return \(known) and title .. '!' "
          + "or error('no') end } }", to: "same.lua")
    }
    try sample.folder.write(
      PlanFolder.appText(same, header: "target = \"App 3\""), to: "chain.pipeline")
    try write("(title ~= 'two' and title ~= 'three!')")
    try await sample.run()
    let titles = "SELECT Z_PK, ZTITLE FROM ZNOTE ORDER BY Z_PK"
    #expect(try sample.rows(titles) == ["1|one!!"])
    try write("true")
    #expect(try await sample.retry().outcome == .swapped)
    #expect(try sample.rows(titles) == ["1|one!!", "2|two!!", "3|three!!"])
    #expect(try sample.waiting == 0)
  }

  @Test("a script that now rejects others is refused")
  func rejectingOthers() async throws {
    let sample = try ChainSample(Knowing(size: Self.some))
    try await sample.run()
    let error = await #expect(throws: Failure.self) {
      try await sample.retry(Knowing(size: ["two", "three"]))
    }
    #expect(error?.why.contains("reject objects that they did not reject") == true)
    #expect(try sample.waiting == 1)
  }

  @Test(
    "whatever kills it, the same command resumes and the object is there once",
    arguments: [
      (ProgressEvent.Kind.stageStarted, "transform"), (.stageFinished, "transform"),
      (.stageStarted, "swap"), (.swapped, "swap"),
    ])
  func killed(kind: ProgressEvent.Kind, stage: String) async throws {
    let sample = try ChainSample(Knowing(size: Self.some))
    try await sample.run()
    try sample.write(Knowing())
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [
        folder = sample.folder.url.path as String, kind = kind.rawValue as String,
        stage = stage as String
      ] in
      _ = try await RejectRetry(store: "\(folder)/App.sqlite").run { event in
        guard event.kind.rawValue == kind, event.stage == stage else { return }
        kill(getpid(), SIGKILL)
      }
    }
    try await sample.retry()
    #expect(try sample.notes == ChainSample.whole)
    #expect(try sample.waiting == 0)
    #expect(try await sample.retry().outcome == .nothing)
  }

  @Test("after a rollback the object waits again, and can be retried again")
  func rollback() async throws {
    let sample = try ChainSample(Knowing(size: Self.some))
    try await sample.run()
    try await sample.retry(Knowing())
    _ = try StoreRecovery(store: sample.store).rollback()
    #expect(try sample.waiting == 1)
    try await sample.retry()
    #expect(try sample.notes == ChainSample.whole)
  }

  @Test("a check warns of a stage that makes a retry impossible", arguments: ["size", "label"])
  func warned(script: String) throws {
    let sample = try ChainSample()
    let text = try String(contentsOfFile: sample.folder.path("chain.pipeline"), encoding: .utf8)
    #expect(Planner.check(try sample.pipeline).warnings == [])
    let start = "script = \"\(script).lua\", on_error = \"reject\" },"
    #expect(text.contains(start))
    try sample.folder.write(
      text.replacing(
        start, with: start + "\n  stage \"dedupe\" { entity = \"Folder\", key = \"name\" },"),
      to: "chain.pipeline")
    let warnings = Planner.check(try sample.pipeline).warnings.map(\.message)
    // In the last step dedupe is given what is put in.
    #expect(warnings.count == (script == "label" ? 0 : 1))
    #expect(
      warnings.allSatisfy {
        $0.hasPrefix("rejected objects of Note could not be retried, because of the stage dedupe.")
          && $0.hasSuffix("Put it into the last step, if it can be there.")
      }, "\(warnings)")
  }
}
