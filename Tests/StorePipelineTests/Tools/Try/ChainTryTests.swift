import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Trying a script of a later step", .temporaryFolder)
struct ChainTryTests {
  private typealias Knowing = ChainSample.Knowing

  private func run(
    _ script: String, _ knowing: ChainSample.Knowing = Knowing(), where condition: String? = nil,
    limit: Int = 5
  ) throws -> TryReport {
    let sample = try ChainSample(knowing)
    let bytes = try Data(contentsOf: URL(filePath: sample.store))
    defer { #expect((try? Data(contentsOf: URL(filePath: sample.store))) == bytes) }
    return try ScriptTry(
      .init(path: sample.folder.path(script)), between: .pipeline(sample.pipeline)
    ).run(on: sample.store, .init(condition: condition, limit: limit))
  }

  @Test(
    "the objects go through the steps before the script's",
    arguments: [("writer.lua", ["App"]), ("label.lua", ["App", "App 2"])])
  func passed(script: String, through: [String]) throws {
    let report = try run(script)
    #expect(report.through == through)
    #expect(report.objects.map(\.source.key) == [1, 2, 3])
    #expect(report.failed == 0)
    let given = try #require(report.objects.first).source.properties
    #expect(given.first { $0.name == "size" }?.text == "3")
    if script == "label.lua" {
      #expect(given.first { $0.name == "writer" }?.text == "Person 1")
      let made = try #require(report.objects.last?.made.first).properties
      #expect(made.first { $0.name == "label" }?.text == "\"three 5\"")
    }
    #expect(TextTryReport(report).text.contains("in a store of App"))
  }

  @Test("a condition is about the store's own objects")
  func condition() throws {
    let report = try run("label.lua", where: "title = 'two'")
    #expect(report.objects.map(\.source.key) == [2])
  }

  @Test("a condition on what the store has not yet is an error that says so")
  func unknownCondition() throws {
    let error = #expect(throws: Failure.self) { try run("label.lua", where: "size = 3") }
    #expect(error?.remedy.contains("as the store has them, of the version 'App'") == true)
  }

  @Test("an object that an earlier script fails on stands as the store has it, with the error")
  func failedBefore() throws {
    let report = try run("label.lua", Knowing(size: ["one", "three"]))
    let object = try #require(report.objects.first { $0.source.key == 2 })
    #expect(object.endsBefore == "App 3" && object.made.isEmpty)
    #expect(object.failure?.message == "no size")
    #expect(object.failure?.doing == "making Note.size in the earlier step to 'App 2'")
    #expect(!object.source.properties.contains { $0.name == "size" })
    #expect(report.objects.count { $0.failure == nil && !$0.made.isEmpty } == 2)
    #expect(report.failed == 1)
  }

  @Test("an object that an earlier script rejects has the reason")
  func rejectedBefore() throws {
    let report = try run("label.lua", Knowing(writer: ["one", "three"]))
    let object = try #require(report.objects.first { $0.source.key == 2 })
    #expect(object.failure?.message == "no writer")
    #expect(JSONTryReport(report).text.contains("\"endsBefore\": \"App 3\""))
  }

  @Test("an object that an earlier script leaves out says where it ended")
  func leftOutBefore() throws {
    let sample = try ChainSample()
    let text = try String(contentsOfFile: sample.folder.path("writer.lua"), encoding: .utf8)
    try sample.folder.write(text.replacing("ctx.reject", with: "ctx.skip"), to: "writer.lua")
    try sample.folder.write(
      String(contentsOfFile: sample.folder.path("writer.lua"), encoding: .utf8)
        .replacing("two = true, ", with: ""), to: "writer.lua")
    let report = try ScriptTry(
      .init(path: sample.folder.path("label.lua")), between: .pipeline(sample.pipeline)
    ).run(on: sample.store)
    #expect(report.failed == 0)
    #expect(
      TextTryReport(report).text.contains("the steps to App 3 make no Note of it for the script"))
  }

  @Test("an earlier script that fails outside of objects is reported as what it is")
  func hookBefore() throws {
    let sample = try ChainSample()
    try sample.folder.write(
      "return { attributes = { size = 1 }, begin = function(ctx) ctx.fail('no') end }",
      to: "size.lua")
    let report = try ScriptTry(
      .init(path: sample.folder.path("label.lua")), between: .pipeline(sample.pipeline)
    ).run(on: sample.store)
    #expect(report.objects.isEmpty && report.failed == 1)
    #expect(report.failure?.doing.contains("in the earlier step to 'App 2'") == true)
    #expect(!TextTryReport(report).text.contains("No object was found"))
  }

  @Test("what a script makes of other entities' objects is tried on what these become")
  func made() throws {
    let sample = try ChainSample()
    try sample.folder.write(
      "return { attributes = { name = function(name) return name .. '!' end } }",
      to: "person.lua")
    let text = try String(contentsOfFile: sample.folder.path("chain.pipeline"), encoding: .utf8)
    try sample.folder.write(
      text.replacing(
        "step \"App 4\" {",
        with:
          "step \"App 4\" { stage \"transform\" { entity = \"Person\", script = \"person.lua\" },"),
      to: "chain.pipeline")
    let report = try ScriptTry(
      .init(path: sample.folder.path("person.lua")), between: .pipeline(sample.pipeline)
    ).run(on: sample.store)
    // The third note's writer is the second one's, whom it has not made.
    #expect(report.objects.map(\.source.entity) == ["Person", "Person", "Note"])
    #expect(report.objects.map(\.endsBefore) == [nil, nil, "App 3"])
    let names = report.objects.flatMap(\.made).flatMap(\.properties).filter { $0.name == "name" }
    #expect(Set(names.map(\.text)) == ["\"o!\"", "\"t!\""])
  }

  @Test("a script of a step that the store has behind it is refused")
  func behind() async throws {
    let sample = try ChainSample()
    try await sample.run()
    let error = #expect(throws: PipelineFileError.self) {
      try ScriptTry(
        .init(path: sample.folder.path("size.lua")), between: .pipeline(sample.pipeline)
      ).run(on: sample.store)
    }
    #expect(error?.problems.first?.message.contains("no transform that would run") == true)
  }

  /// Runs a test file next to the chain.
  private func test(
    _ cases: String, _ knowing: ChainSample.Knowing = Knowing()
  ) async throws
    -> TestSummary
  {
    let sample = try ChainSample(knowing)
    try sample.folder.write(
      """
      script "label.lua" { pipeline = "chain.pipeline", from = "App" }
      \(cases)
      """, to: "chain_test.lua")
    return try await ScriptTests(
      TestFiles.find([sample.folder.path("chain_test.lua")]), TestSettings()
    ).run()
  }

  @Test("a test's objects of the first version go through the steps before the script's")
  func tested() async throws {
    let summary = try await test(
      """
      case "passes" {
        given  = { title = "two", folder = { name = "a" } },
        expect = { label = "two 3", size = 3, folder = { name = "a" }, writer = { name = "t" } },
      }
      property "no title is too strange" { objects = 12, allow = "no size" }
      """)
    #expect(summary.problems.isEmpty, "\(summary.problems)")
    #expect(summary.passed == 2, "\(summary.results)")
  }

  @Test("a test says which earlier step failed on its object")
  func testedFailure() async throws {
    let knowing = Knowing(size: ["one"])
    let failed = try await test(
      #"case "fails" { given = { title = "two" }, expect = { label = "two 3" } }"#, knowing)
    #expect(failed.status == 1)
    let lines = failed.results.flatMap(\.failure).joined(separator: "\n")
    #expect(
      lines.contains("no size") && lines.contains("in the earlier step to 'App 2'"), "\(lines)")
  }

  @Test("a test may expect that an earlier step fails on its object")
  func expectedFailure() async throws {
    let expected = try await test(
      #"case "fails" { given = { title = "two" }, error = "no size" }"#, Knowing(size: ["one"]))
    #expect(expected.status == 0, "\(expected.results)")
  }

  @Test("a version behind the script's step is a mistake of the test file")
  func testedNowhere() async throws {
    let sample = try ChainSample()
    try sample.folder.write(
      """
      script "size.lua" { pipeline = "chain.pipeline", from = "App 3" }
      case "x" { given = {}, expect = {} }
      """, to: "chain_test.lua")
    let summary = try await ScriptTests(
      TestFiles.find([sample.folder.path("chain_test.lua")]), TestSettings()
    ).run()
    #expect(summary.status == 2)
    #expect(
      summary.problems.first?.message.contains("'App 3' is a later version") == true,
      "\(summary.problems)")
  }
}
