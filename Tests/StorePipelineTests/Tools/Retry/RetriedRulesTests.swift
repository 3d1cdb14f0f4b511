import CoreDataStore
import Foundation
import StorePipeline
import StoreReplacement
import StoreTestSupport
import TestSupport
import Testing

@Suite("Rejected objects and the rules of the model", .temporaryFolder)
struct RetriedRulesTests {
  /// Words with marks: the script takes their first letters, and rejects those whose mark it does
  /// not know.
  private struct Words {
    let folder: PlanFolder
    var store: String { folder.path("App.sqlite") }

    init() throws {
      func word(_ more: String) -> String {
        """
        <entity name="Word"><attribute name="name" optional="YES" attributeType="String"/>
        <attribute name="mark" optional="YES" attributeType="String"/>\(more)</entity>
        """
      }
      folder = try PlanFolder.models([
        word(""),
        word(
          """
          <attribute name="size" optional="YES" attributeType="Integer 16" maxValueString="9"/>
          <uniquenessConstraints><uniquenessConstraint><constraint value="name"/>
          </uniquenessConstraint></uniquenessConstraints>
          """),
      ])
      try SampleStore.make(
        of: ModelLibrary([folder.path("App.xcdatamodeld")]).model(named: "App"), at: store,
        adding: """
          INSERT INTO ZWORD (Z_PK, Z_ENT, Z_OPT, ZNAME, ZMARK) VALUES (1, 1, 1, 'a', 'x'),
            (2, 1, 1, 'b', 'x'), (3, 1, 1, 'a 2', 'y'), (4, 1, 1, 'c', 'y'), (5, 1, 1, 'c 2', 'y');
          UPDATE Z_PRIMARYKEY SET Z_MAX = 5
          """)
    }

    private func write(knowing marks: String, size: String = "1") throws {
      let known = marks.map { "\($0) = true" }.joined(separator: ", ")
      try folder.write(
        """
        local known = { \(known) }
        return { attributes = {
          name = function(name) return name:sub(1, 1) end,
          size = function(name, mark)
            return known[mark] and \(size) or error("a strange mark")
          end,
        } }
        """, to: "words.lua")
    }

    /// Migrates the store with these stages behind the script, which knows one mark alone.
    func run(_ stages: String = "", header: String = "") async throws {
      try write(knowing: "x")
      let text = PlanFolder.appText(
        """
        stage "copy" {}
        stage "transform" { entity = "Word", script = "words.lua", on_error = "reject" }
        \(stages)
        """, header: header
      )
      .replacing("stage \"open\" {}", with: "stage \"open\" { wait = \"10 ms\" }")
      let pipeline = try PipelineFile(text, path: folder.path("test.pipeline")).pipeline()
      let plan = try Planner(pipeline: pipeline).plan(store: Store(store))
      _ = try await Run(plan, store: store).execute()
    }

    @discardableResult
    func retry(size: String = "1") async throws -> RetrySummary {
      try write(knowing: "xy", size: size)
      return try await RejectRetry(store: store).run()
    }

    var names: [String] {
      get throws { try StoreRows.read("SELECT Z_PK, ZNAME FROM ZWORD ORDER BY Z_PK", at: store) }
    }
    var waiting: Int { get throws { try StoreRecovery(store: store).status().rejects } }
  }

  @Test("a stage that merges equal objects merges those that are put in, as in a run")
  func merged() async throws {
    let words = try Words()
    try await words.run("stage \"dedupe\" { entity = \"Word\", key = \"name\" }")
    #expect(try words.names == ["1|a", "2|b"])
    let summary = try await words.retry()
    #expect(summary.outcome == .swapped)
    #expect(summary.warnings.contains("dedupe: Word: 2 merged into others"), "\(summary.warnings)")
    #expect(try words.names == ["1|a", "2|b", "4|c"])
    #expect(try words.waiting == 0)
    #expect(try await words.retry().outcome == .nothing)
    let index = "SELECT count(*) FROM sqlite_master WHERE sql LIKE 'CREATE UNIQUE INDEX%'"
    #expect(try StoreRows.read(index, at: words.store) == ["1"])
  }

  @Test("a store that a stage has changed is compared with what the whole run makes")
  func verified() async throws {
    let words = try Words()
    try await words.run("stage \"dedupe\" { entity = \"Word\", key = \"name\" }")
    let summary = try await StoreVerification(store: words.store).run()
    #expect(summary.isSame)
    #expect(summary.objects == 2)
    #expect(summary.warnings == [])
    try SampleStore.change(words.store, by: "UPDATE ZWORD SET ZNAME = 'z' WHERE Z_PK = 2")
    let changed = try await StoreVerification(store: words.store).run()
    #expect(changed.differences.map { "\($0.entity) \($0.key) \($0.property)" } == ["Word 2 name"])
    try SampleStore.change(words.store, by: "UPDATE ZWORD SET ZNAME = 'b' WHERE Z_PK = 2")
    try await words.retry()
    let retried = try await StoreVerification(store: words.store).run()
    #expect(retried.isSame)
    #expect(retried.objects == 3)
    #expect(retried.warnings == [])
    try SampleStore.change(words.store, by: "DELETE FROM ZWORD WHERE Z_PK <> 2")
    let deleted = try await StoreVerification(store: words.store).run()
    #expect(deleted.differences.map { "\($0.entity) \($0.key)" } == ["Word 1", "Word 4"])
  }

  @Test("what would be there twice waits on with the reason, and the others go in")
  func twice() async throws {
    let words = try Words()
    try await words.run()
    let summary = try await words.retry()
    #expect(summary.outcome == .swapped)
    #expect(summary.entities.map { "\($0.name) \($0.made) \($0.failed)" } == ["Word 1 2"])
    #expect(
      summary.waiting.map { "\($0.key): \($0.reason)" } == [
        "3: Word.name must be unique, and Word 1 has the same",
        "5: Word.name must be unique, and Word 4 has the same",
      ])
    #expect(try words.names == ["1|a", "2|b", "4|c"])
    #expect(try words.waiting == 2)
    #expect(try await words.retry().outcome == .failed)
    #expect(try await StoreVerification(store: words.store).run().count == 0)
  }

  @Test("one that breaks a rule of the model does not hold back the others")
  func broken() async throws {
    let words = try Words()
    try await words.run("stage \"dedupe\" { entity = \"Word\", key = \"name\" }")
    let summary = try await words.retry(size: "(name == \"c\" and 10 or 2)")
    #expect(summary.outcome == .swapped)
    #expect(summary.entities.map { "\($0.name) \($0.made) \($0.failed)" } == ["Word 2 1"])
    let reason = try #require(summary.waiting.first?.reason)
    #expect(reason.hasPrefix("Word.size would break a rule of the model: "))
    #expect(try words.names == ["1|a", "2|b", "5|c"])
    #expect(try words.waiting == 1)
  }

  @Test("next to more broken rules than are listed, objects go in as long as they break none")
  func many() async throws {
    let words = try Words()
    try await words.run()
    try SampleStore.change(
      words.store,
      by: """
        WITH RECURSIVE n (i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 10100)
        INSERT INTO ZWORD (Z_PK, Z_ENT, Z_OPT, ZNAME, ZSIZE) SELECT i, 1, 1, 'w' || i, 50 FROM n;
        UPDATE Z_PRIMARYKEY SET Z_MAX = 10100
        """)
    let error = await #expect(throws: Failure.self) { try await words.retry(size: "10") }
    #expect(error?.why.contains("would break 10092 rules of the model, more than") == true)
    #expect(try words.waiting == 3)
    #expect(try await words.retry().outcome == .swapped)
    #expect(try words.waiting == 2)
  }

  @Test("a stage that does not say what it does with them is refused beforehand, with the reason")
  func refused() async throws {
    let words = try Words()
    try await words.run("stage \"redact\" { mask = \"Word.mark\" }")
    let before = try FolderState(words.folder.url.path)
    let error = await #expect(throws: Failure.self) {
      try await RejectRetry(store: words.store).run()
    }
    #expect(error?.why.contains("The stage redact would not change them") == true)
    #expect(error?.why.contains("no function 'retry'") == true)
    #expect(error?.remedy.contains("pipeline rollback") == true)
    #expect(error?.remedy.contains("pipeline clean --rejects ") == true)
    #expect(try FolderState(words.folder.url.path).difference(from: before) == [])
  }

  @Test("a stage goes through the objects that were put in, and through no others")
  func passed() async throws {
    let words = try Words()
    try words.folder.write(
      """
      local function work(ctx)
        ctx.each("Word", function(word) word.mark = word.mark .. "!" end)
      end
      return {
        name = "shout", summary = "Shouts.", touches = { "Word.mark" }, run = work, retry = work,
      }
      """, to: "shout.lua")
    try await words.run("stage \"shout\" {}", header: "plugins = { \"shout.lua\" }")
    try await words.retry()
    #expect(
      try StoreRows.read("SELECT Z_PK, ZMARK FROM ZWORD ORDER BY Z_PK", at: words.store)
        == ["1|x!", "2|x!", "4|y!"])
  }

  @Test(
    "what an application has put into the store since stays, whichever object a stage keeps",
    arguments: ["", ", keep = \"newest\""])
  func kept(choice: String) async throws {
    let words = try Words()
    try await words.run("stage \"dedupe\" { entity = \"Word\", key = \"mark\"\(choice) }")
    // Rows of a table that no model explains are named by their numbers.
    try SampleStore.change(
      words.store,
      by: """
        INSERT INTO ZWORD (Z_PK, Z_ENT, Z_OPT, ZNAME, ZMARK) VALUES (6, 1, 1, 'own', 'y'),
          (7, 1, 1, 'other', 'y');
        UPDATE Z_PRIMARYKEY SET Z_MAX = 7;
        CREATE TABLE app (a); INSERT INTO app VALUES (1), (2), (3); DELETE FROM app WHERE a = 1;
        """)
    try await words.retry()
    #expect(try Set(words.names).isSuperset(of: ["6|own", "7|other"]))
    #expect(try words.names.count == 3)
    #expect(try StoreRows.read("SELECT rowid, a FROM app", at: words.store) == ["2|2", "3|3"])
    #expect(try words.waiting == 0)
  }

  @Test("a stage below another that made or changed objects is not given them, so that is refused")
  func twoStages() async throws {
    let words = try Words()
    for (name, work) in [
      ("split", "ctx.make(\"Word\", { name = word.name .. ctx.now, mark = \"secret\" })"),
      ("mask", "word.mark = \"***\""),
    ] {
      try words.folder.write(
        """
        local function work(ctx) ctx.each("Word", function(word) \(work) end) end
        return {
          name = "\(name)", summary = "Works.", touches = { "Word" }, run = work, retry = work,
        }
        """, to: "\(name).lua")
    }
    try await words.run(
      "stage \"split\" {} stage \"mask\" {}",
      header: "plugins = { \"split.lua\", \"mask.lua\" }")
    let error = await #expect(throws: Failure.self) { try await words.retry() }
    #expect(error?.why.contains("another stage above it has made or changed") == true)
    #expect(try words.waiting == 3)
  }

  @Test("where another process holds the store, store and work folder stay as they were")
  func held() async throws {
    let words = try Words()
    try await words.run()
    let before = try FolderState("\(words.store).pipeline/run")
    let (held, stop) = (words.folder.path("held"), words.folder.path("stop"))
    async let other: Void = Self.hold(words.store, held, until: stop)
    for _ in 0..<30_000 where !FileManager.default.fileExists(atPath: held) {
      try await Task.sleep(for: .milliseconds(5))
    }
    let error = await #expect(throws: Failure.self) { try await words.retry() }
    #expect(error?.kind == .busy)
    #expect(error?.what == "cannot replace the store")
    try words.folder.write("", to: "stop")
    await other
    #expect(try FolderState("\(words.store).pipeline/run").difference(from: before) == [])
    #expect(try words.waiting == 3)
    #expect(try await words.retry().outcome == .swapped)
  }

  /// Reads the store in another process until a file is there.
  private static func hold(_ store: String, _ held: String, until stop: String) async {
    await #expect(processExitsWith: .success) { [store, held, stop] in
      let release = try SampleStore.hold(store)
      try Data().write(to: URL(filePath: held))
      for _ in 0..<30_000 where !FileManager.default.fileExists(atPath: stop) {
        try await Task.sleep(for: .milliseconds(5))
      }
      try release()
    }
  }

  @Test("without room on the disk nothing is begun")
  func space() async throws {
    let words = try Words()
    try await words.run()
    let values = try StoreFiles(words.store).externalDataFolder
    try FileManager.default.createDirectory(atPath: values, withIntermediateDirectories: true)
    // It has a length and no blocks.
    let path = "\(values)/\(UUID().uuidString)"
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    try FileHandle(forWritingTo: URL(filePath: path)).truncate(atOffset: 1 << 43)
    let error = await #expect(throws: Failure.self) { try await words.retry() }
    #expect(error?.kind == .refused && error?.what == "there is too little space")
    #expect(try words.waiting == 3)
    #expect(try StoreRecovery(store: words.store).status().run?.isResumable != true)
  }
}
