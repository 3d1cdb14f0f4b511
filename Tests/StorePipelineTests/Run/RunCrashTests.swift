import CoreDataStore
import Foundation
import StorePipeline
import StoreReplacement
import StoreTestSupport
import TestSupport
import Testing

@Suite("A run that is killed", .temporaryFolder)
struct RunCrashTests {
  /// Runs the sample's pipeline in a process that is killed at an event.
  private func die(at stage: String, _ entity: String, in folder: String) async {
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [folder = folder as String, stage = stage as String, entity = entity as String] in
      try await CrashSample(folder: folder).run { event in
        guard event.stage == stage, event.entity == entity else { return }
        kill(getpid(), SIGKILL)
      }
    }
  }

  @Test(
    "of a store that begins as a clone: the next run makes the same store as one that began empty",
    arguments: [("copy", "Person"), ("connect", "Item.owner"), ("finish", "indexes")])
  func clone(stage: String, entity: String) async throws {
    let sample = try CrashSample(pictures: 1000)
    try await sample.run(output: "Whole.sqlite")
    try sample.begin("clone")
    await die(at: stage, entity, in: sample.folder)
    try await finish(sample)
  }

  @discardableResult
  private func finish(_ sample: CrashSample) async throws -> RunSummary {
    let summary = try await sample.run()
    #expect(summary.outcome == .swapped)
    #expect(summary.entities.map(\.rejected) == [1, 0, 0, 0])
    let whole = try StoreRows.tables(at: sample.path("Whole.sqlite"))
    #expect(try StoreRows.tables(at: sample.path("App.sqlite")) == whole)
    #expect(
      try StoreRows.schema(at: sample.path("App.sqlite"))
        == StoreRows.schema(at: sample.path("Whole.sqlite")))
    return summary
  }

  @Test(
    "between two steps of the end, or of the links: the next run makes the same store",
    arguments: [
      ("finish", "history"), ("finish", "highest keys"), ("finish", "indexes"),
      ("finish", "derived attributes"), ("finish", "metadata"), ("finish", "triggers"),
      ("connect", "Item.owner"), ("connect", "Item"), ("copy", "Person"),
    ])
  func steps(stage: String, entity: String) async throws {
    let sample = try CrashSample(pictures: 1000)
    try await sample.run(output: "Whole.sqlite")
    await die(at: stage, entity, in: sample.folder)
    try await finish(sample)
  }

  @Test(
    "in the middle of what a script makes: state, associations and rejects go on as they were",
    arguments: [1_000_000, 9_000_000, 11_000_000])
  func scripted(limit: Int) async throws {
    let sample = try CrashSample(pictures: 1_000_000)
    try await sample.run(output: "Whole.sqlite")
    await #expect(processExitsWith: .signal(SIGXFSZ)) {
      [folder = sample.folder as String, limit = limit as Int] in
      try await CrashSample(folder: folder).run { event in
        guard event.kind == .stageStarted, event.stage == "transform" else { return }
        FileLimit.set(limit)
      }
    }
    try await finish(sample)
  }

  @Test("by another version of this program, whose notes have another shape, starts over by itself")
  func otherShape() async throws {
    let sample = try CrashSample(pictures: 1000)
    try await sample.run(output: "Whole.sqlite")
    try sample.begin("clone")
    await die(at: "connect", "Item.owner", in: sample.folder)
    // As versions had it that did not note the shape.
    let folder = try WorkFolder(store: sample.path("App.sqlite"))
    try StoreRows.change("ALTER TABLE pipeline_merged DROP COLUMN place", at: folder.nextPath)
    var state = try #require(try RunState.read(folder))
    let cutShort = state.run
    state.shape = 1
    try state.write(folder)
    let summary = try await finish(sample)
    #expect(summary.run != cutShort)
    #expect(
      summary.warnings.filter { $0.contains("another version of this program") }.count == 1)
  }

  @Test("the tables of an unfinished store have the shape that the run's state notes")
  func shape() async throws {
    let sample = try CrashSample(pictures: 1000)
    await die(at: "connect", "Item.owner", in: sample.folder)
    let folder = try WorkFolder(store: sample.path("App.sqlite"))
    let columns = try StoreRows.read(
      """
      SELECT m.name || ': ' || group_concat(c.name, ' ') FROM sqlite_master AS m,
      pragma_table_info(m.name) AS c WHERE m.name LIKE 'pipeline\\_%' ESCAPE '\\'
      AND m.type = 'table' GROUP BY m.name ORDER BY m.name
      """, at: folder.nextPath)
    // Whoever changes these raises the number, or runs that older builds began end with an error.
    #expect(try RunState.read(folder)?.shape == 2)
    #expect(
      columns == [
        "pipeline_assigned: relationship object", "pipeline_externals: name source",
        "pipeline_merged: source_entity source entity object place",
        "pipeline_objects: source_entity source entity object place",
        "pipeline_progress: unit last rows made bytes state done",
      ])
  }
}

/// A store of items with pictures whose script counts, makes several objects of one, sets some
/// aside and looks at what came of what.
private struct CrashSample {
  let folder: String

  /// The sample that is in a folder.
  init(folder: String) { self.folder = folder }

  /// Lays the sample, with pictures of so many bytes, into the folder of the test.
  init(pictures: Int) throws {
    let files = try PlanFolder.models([Self.before, Self.after])
    folder = files.url.path
    try files.write(Self.script, to: "item.lua")
    try begin("empty")
    let items = (1...12).map { "(\($0), 1, 1, 'item \($0)', zeroblob(\(pictures)), \($0 % 2 + 1))" }
    let library = try ModelLibrary([files.path("App.xcdatamodeld")])
    try SampleStore.make(
      of: library.model(named: "App"), at: files.path("App.sqlite"),
      adding: """
        INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'Ann'), (2, 2, 1, 'Bob');
        INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZIMAGE, ZOWNER) VALUES \(
          items.joined(separator: ", "));
        """)
  }

  func path(_ name: String) -> String { "\(folder)/\(name)" }

  /// Writes the pipeline, by which a new store begins in this way.
  func begin(_ start: String) throws {
    let text = PlanFolder.appText(
      """
      stage "copy" { start = "\(start)" }
      stage "transform" { entity = "Item", script = "item.lua" }
      """)
    try Data(text.utf8).write(to: URL(filePath: path("app.pipeline")))
  }

  /// Runs the pipeline, in place or with its result elsewhere.
  @discardableResult
  func run(
    output: String? = nil, events: @escaping @Sendable (ProgressEvent) -> Void = { _ in }
  ) async throws -> RunSummary {
    let pipeline = try PipelineFile(path: path("app.pipeline")).pipeline()
    let plan = try Planner(pipeline: pipeline).plan(store: try Store(path("App.sqlite")))
    let options = RunOptions(output: output.map(path))
    return try await Run(plan, store: path("App.sqlite"), options: options).execute(events: events)
  }

  private static let person = """
    <entity name="Person"><attribute name="name" optional="YES" attributeType="String"/>
    <relationship name="items" optional="YES" toMany="YES" ordered="YES" destinationEntity="Item"
      inverseName="owner" inverseEntity="Item"/></entity>
    """
  private static let item = """
    <attribute name="name" optional="YES" attributeType="String"/>
    <attribute name="image" optional="YES" attributeType="Binary"/>
    <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Person"
      inverseName="items" inverseEntity="Person"/>
    """
  private static let before = "<entity name=\"Item\">\(item)</entity>\(person)"
  private static let after = """
    <entity name="Item">\(item)
      <attribute name="place" optional="YES" attributeType="Integer 32"/>
      <attribute name="words" optional="YES" attributeType="String"/>
      <attribute name="length" optional="YES" attributeType="Integer 64" derived="YES"
        derivationExpression="tags.@count"/>
      <relationship name="tags" optional="YES" toMany="YES" destinationEntity="Tag"
        inverseName="items" inverseEntity="Tag"/>
    </entity>\(person)
    <entity name="Photo">
      <attribute name="place" optional="YES" attributeType="Integer 32"/>
    </entity>
    <entity name="Tag"><attribute name="name" optional="YES" attributeType="String"/>
      <relationship name="items" optional="YES" toMany="YES" destinationEntity="Item"
        inverseName="tags" inverseEntity="Item"/></entity>
    """

  private static let script = """
    return {
      creates = { "Item", "Photo", "Tag" },
      begin = function(ctx) ctx.state = { n = 0, names = {} } end,
      create = function(item, new, ctx)
        ctx.state.n = ctx.state.n + 1
        ctx.state.names[ctx.state.n] = item.name
        if item.name == "item 5" then ctx.reject "five" end
        local copy = ctx.default()
        copy.place = ctx.state.n
        local photo = new.Photo { place = ctx.count("Item") }
        copy.tags = { new.Tag { name = item.name }, ctx.find("Tag", "name == 'item 1'")[1] }
      end,
      created = function(ctx) ctx.state.made = ctx.count("Item") end,
      relate = function(object, ctx)
        local from = ctx.sources(object)[1]
        local all = ctx.destinations(from)
        ctx.state.related = (ctx.state.related or 0) + 1
        if object == all[1] then
          object.words = table.concat({
            from.name, #all, ctx.state.made, ctx.state.related, ctx.state.names[2],
          }, " ")
        end
      end,
      related = function(ctx) if ctx.state.related ~= 33 then ctx.fail "lost" end end,
    }
    """
}
