import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Runs through several steps", .temporaryFolder)
struct ChainRunTests {
  private static func text(_ name: String, _ more: String = #"optional="YES""#) -> String {
    #"<attribute name="\#(name)" attributeType="String" \#(more)/>"#
  }

  private static func data(_ name: String, isExternal: Bool) -> String {
    let more = isExternal ? #"allowsExternalBinaryDataStorage="YES""# : ""
    return #"<attribute name="\#(name)" optional="YES" attributeType="Binary" \#(more)/>"#
  }

  /// A store of the first of some versions, and the pipeline's text next to it.
  private struct Sample: Sendable {
    let folder: PlanFolder
    let text: String

    init(_ versions: [String], rows: String, steps: String, validate: String = "{}") throws {
      folder = try PlanFolder.models(versions)
      text = PlanFolder.appText(steps)
        .replacing("stage \"validate\" {}", with: "stage \"validate\" \(validate)")
      let library = try ModelLibrary([folder.path("App.xcdatamodeld")])
      try SampleStore.make(
        of: library.model(named: "App"), at: folder.path("App.sqlite"), adding: rows)
    }

    var plan: Plan {
      get throws { try folder.plan(text, store: "App.sqlite") }
    }

    @discardableResult
    func run(
      output: String? = nil, events: @escaping @Sendable (ProgressEvent) -> Void = { _ in }
    ) async throws -> RunSummary {
      let options = RunOptions(output: output.map(folder.path))
      return try await Run(plan, store: folder.path("App.sqlite"), options: options)
        .execute(events: events)
    }

    func rows(_ sql: String, in store: String = "App.sqlite") throws -> [String] {
      try StoreRows.read(sql, at: folder.path(store))
    }
  }

  private static let renaming = """
    step "App 2" { stage "copy" { rename { entity = "A", to = "B" } } }
    step "App 3" { stage "copy" { rename { entity = "B", attributes = { title = "name" } } } }
    """

  @Test("what broke a rule in the store that the chain began with is a warning at its end")
  func violations() async throws {
    let rule = #"minValueString="2""#
    let sample = try Sample(
      [
        #"<entity name="A">\#(Self.text("title", rule))</entity>"#,
        #"<entity name="B">\#(Self.text("title", rule))</entity>"#,
        #"<entity name="B">\#(Self.text("name", rule))</entity>"#,
      ],
      rows: """
        INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, NULL), (2, 1, 1, 'x'),
        (3, 1, 1, 'long')
        """, steps: Self.renaming)
    let summary = try await sample.run()
    #expect(summary.outcome == .swapped)
    #expect(
      summary.warnings.filter { $0.contains("source already") } == [
        "B.name: 1 object against the rule \"mandatory\", as in the source already",
        "B.name: 1 object against the rule \"at least 2 long\", as in the source already",
      ])
    #expect(try sample.rows("SELECT ZNAME FROM ZB") == ["NULL", "x", "long"])
  }

  @Test("an entity that ends in a later step is summed up as dropped")
  func dropped() async throws {
    let kept = #"<entity name="A">\#(Self.text("title"))</entity>"#
    let other = #"<entity name="B">\#(Self.text("name"))</entity>"#
    let more = other.replacing("</entity>", with: Self.text("more") + "</entity>")
    let sample = try Sample(
      [kept + other, kept + more, more],
      rows: "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'x')",
      steps: """
        step "App 2" { stage "copy" {} }
        step "App 3" { stage "copy" { drop { "A" } } }
        """)
    let summary = try await sample.run()
    #expect(summary.entities.first { $0.name == "A" }?.how == "dropped")
  }

  @Test("what breaks a rule that a later version made is refused before the chain begins")
  func newRule() async throws {
    let sample = try Sample(
      [
        #"<entity name="A">\#(Self.text("title"))</entity>"#,
        #"<entity name="B">\#(Self.text("title"))</entity>"#,
        #"<entity name="B">\#(Self.text("name", #"optional="YES" maxValueString="3""#))</entity>"#,
      ],
      rows: "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'long')",
      steps: Self.renaming)
    let summary = try await sample.run()
    #expect(summary.outcome == .invalid)
    // Before anything is written, by the name that the store has now.
    #expect(summary.failures.map { "\($0.entity) \($0.key) \($0.property)" } == ["A 1 name"])
    #expect(!FileManager.default.fileExists(atPath: sample.folder.path("App.sqlite.pipeline")))
  }

  @Test("expectations ask the store that the chain began with, by its names")
  func expectations() async throws {
    let sample = try Sample(
      [
        #"<entity name="A">\#(Self.text("title"))</entity>"#,
        #"<entity name="B">\#(Self.text("title"))</entity>"#,
        #"<entity name="B">\#(Self.text("name"))</entity>"#,
      ], rows: "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'long')",
      steps: Self.renaming,
      validate: """
        { expect = {
          { "all are there", source = "count(A where title != nil)",
            destination = "count(B where name != nil)" },
          { "and one more", source = "count(A)", destination = "count(B where name = nil)" },
        } }
        """)
    let summary = try await sample.run()
    #expect(summary.outcome == .invalid)
    #expect(summary.failures.map(\.property) == ["and one more"])
    #expect(summary.failures.first?.rule == "count(B where name = nil): 0, count(A): 1")
  }

  @Test("a large value that got a file of its own in one step is found by the next")
  func externalValues() async throws {
    let name = "0F8FAD5B-D9CB-469F-A165-70867728950E"
    let reference = "02" + name.utf8.map { String($0, radix: 16) }.joined() + "00"
    func entity(_ attributes: String...) -> String {
      "<entity name=\"A\">\(attributes.joined())</entity>"
    }
    let x = Self.data("x", isExternal: true)
    let sample = try Sample(
      [
        entity(x), entity(x, Self.data("y", isExternal: true), Self.data("z", isExternal: true)),
        entity(
          x, Self.data("y", isExternal: false), Self.data("z", isExternal: true),
          Self.text("word")),
      ],
      rows: "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZX) VALUES (1, 1, 1, x'\(reference)')",
      steps: """
        step "App 2" { stage "copy" {
          map { entity = "A", attributes = { y = from "x", z = from "x" } } } }
        step "App 3" {
          stage "copy" { map { entity = "A", attributes = { y = from "y" } } },
          stage "transform" { entity = "A", script = "a.lua" },
        }
        """)
    try sample.folder.write(
      "return { attributes = { word = function(z) return z .. '!' end } }", to: "a.lua")
    try sample.folder.write("picture", to: ".App_SUPPORT/_EXTERNAL_DATA/\(name)")
    #expect(try await sample.run().outcome == .swapped)
    #expect(
      try sample.rows("SELECT CAST(ZY AS TEXT), ZWORD, length(ZX), length(ZZ) FROM ZA")
        == ["picture|picture!|38|38"])
    let files = try FileManager.default.contentsOfDirectory(
      atPath: sample.folder.path(".App_SUPPORT/_EXTERNAL_DATA"))
    #expect(files.count == 2)
  }

  /// Cancels a run when a stage begins.
  private static func cancel(_ sample: Sample, at stage: String) async throws {
    let (reached, continuation) = AsyncStream<Void>.makeStream()
    let gate = DispatchSemaphore(value: 0)
    let task = Task {
      try await sample.run { event in
        guard event.kind == .stageStarted, event.stage == stage else { return }
        continuation.finish()
        gate.wait()
      }
    }
    for await _ in reached {}
    task.cancel()
    gate.signal()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("a chain that was cut short in its second step resumes there, and knows what was rejected")
  func resumed() async throws {
    let entity = #"<entity name="A">\#(Self.text("title"))</entity>"#
    let more = #"<entity name="A">\#(Self.text("title"))\#(Self.text("b"))</entity>"#
    let last =
      #"<entity name="A">\#(Self.text("title"))\#(Self.text("b"))\#(Self.text("c"))</entity>"#
    let sample = try Sample(
      [entity, more, last],
      rows: """
        INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'x'), (2, 1, 1, 'y')
        """,
      steps: """
        step "App 2" { stage "transform" { entity = "A", script = "a.lua" } }
        step "App 3" { stage "copy" {} }
        """)
    try sample.folder.write(
      """
      return { create = function(a, new, ctx)
        if a.title == "x" then ctx.reject "no" end
        ctx.default().b = a.title .. "b"
      end }
      """, to: "a.lua")
    try await sample.run(output: "Whole.sqlite")
    try await Self.cancel(sample, at: "copy")
    let events = Recorder()
    let summary = try await sample.run { events.add($0) }
    #expect(summary.outcome == .swapped)
    #expect(
      events.all.filter { $0.kind == .stageStarted }.map(\.stage)
        == ["detect", "open", "copy", "connect", "finish", "validate", "swap"])
    #expect(summary.entities.map(\.rejected) == [1])
    #expect(
      try StoreRows.tables(at: sample.folder.path("App.sqlite"))
        == StoreRows.tables(at: sample.folder.path("Whole.sqlite")))
  }

  /// A chain through so many versions, which add attributes to `A` one after the other; `K` stays.
  private static func long(_ count: Int) throws -> Sample {
    let versions = (0..<count).map { version in
      let added = (0..<version).map { text("b\($0)") }.joined()
      return #"<entity name="A">\#(text("title"))\#(added)</entity>"#
        + #"<entity name="K">\#(text("text"))</entity>"#
    }
    let kept = (1...40).map { "(\($0), 2, 1, hex(zeroblob(400)))" }.joined(separator: ", ")
    return try Sample(
      versions,
      rows: """
        INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'x');
        INSERT INTO ZK (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES \(kept);
        """,
      steps: (2...count).map { #"step "App \#($0)" { stage "copy" {} }"# }.joined(separator: "\n"))
  }

  @Test("through many versions not more than eight stores are on top of each other")
  func deep() async throws {
    let sample = try Self.long(21)
    let run = sample.folder.path("App.sqlite.pipeline/run")
    let logs = Recorder()
    #expect(try sample.plan.steps.allSatisfy { $0.start.how == .overlay })
    let summary = try await sample.run { event in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: run)) ?? []
      if names.count(where: { $0.hasSuffix(".sqlite-wal") }) > 8 { logs.add(event) }
    }
    #expect(summary.outcome == .swapped)
    #expect(logs.all.isEmpty)
    #expect(try sample.rows("SELECT count(*), sum(length(ZTEXT)) FROM ZK") == ["40|32000"])
    #expect(try sample.rows("SELECT ZTITLE, ZB19 FROM ZA") == ["x|NULL"])
  }

  @Test("what goes elsewhere is on the disk, and what it is on top of, before the state says so")
  func output() async throws {
    let sample = try Self.long(2)
    try sample.folder.write(sample.text, to: "app.pipeline")
    await #expect(processExitsWith: .success) { [folder = sample.folder.url.path as String] in
      EnvironmentVariable.set("PIPELINE_FAULTS_LOG", folder + "/calls")
      let pipeline = try PipelineFile(path: folder + "/app.pipeline").pipeline()
      let store = folder + "/App.sqlite"
      let plan = try Planner(pipeline: pipeline).plan(store: try Store(store))
      let options = RunOptions(output: folder + "/out.sqlite")
      _ = try await Run(plan, store: store, options: options).execute()
    }
    let calls = try String(contentsOfFile: sample.folder.path("calls"), encoding: .utf8)
      .split(separator: "\n").map { $0.split(separator: "\t").dropFirst().joined(separator: " ") }
    // The last one says that the run is over, the one before that the new store is whole.
    let said = calls.indices.filter {
      calls[$0].hasPrefix("rename") && calls[$0].hasSuffix("run/state.json")
    }
    let whole = try #require(said.dropLast().last)
    for name in ["source.sqlite", "next.sqlite", "next.sqlite-wal", "."] {
      #expect(calls[..<whole].contains { $0.hasPrefix("fsync") && $0.hasSuffix("run/\(name)") })
    }
  }

  @Test("what a step has made is on the disk before the state says so, or the next step begins")
  func synced() async throws {
    let sample = try Self.long(3)
    try sample.folder.write(sample.text, to: "app.pipeline")
    await #expect(processExitsWith: .success) { [folder = sample.folder.url.path as String] in
      EnvironmentVariable.set("PIPELINE_FAULTS_LOG", folder + "/calls")
      let pipeline = try PipelineFile(path: folder + "/app.pipeline").pipeline()
      let store = folder + "/App.sqlite"
      let plan = try Planner(pipeline: pipeline).plan(store: try Store(store))
      _ = try await Run(plan, store: store).execute()
    }
    let calls = try String(contentsOfFile: sample.folder.path("calls"), encoding: .utf8)
      .split(separator: "\n").map { $0.split(separator: "\t").dropFirst().joined(separator: " ") }
    let run = "App.sqlite.pipeline/run"
    func last(_ call: String, _ name: String, before end: Int) -> Int {
      calls[..<end].lastIndex { $0.hasPrefix(call) && $0.hasSuffix("\(run)/\(name)") } ?? -1
    }
    func first(_ call: String, _ name: String, after start: Int) -> Int {
      calls[start...].firstIndex { $0.hasPrefix(call) && $0.hasSuffix("\(run)/\(name)") }
        ?? calls.count
    }
    for (store, next) in [("step-1.sqlite", "next.sqlite"), ("next.sqlite", "nothing")] {
      let made = last("open", store, before: calls.count)
      let written = last("xWrite", "\(store)-wal", before: calls.count)
      let said = first("rename", "state.json", after: written)
      let synced = ["\(store)-wal", store, "."].map { last("fsync", $0, before: said) }
      #expect(made >= 0 && written > made && said < first("open", next, after: said))
      #expect(synced.allSatisfy { $0 > written })
    }
  }
}
