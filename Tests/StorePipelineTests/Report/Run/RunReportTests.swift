import CoreDataStore
import Foundation
import StoreMigration
import StoreTestSupport
import TestSupport
import Testing

@testable import StorePipeline

@Suite("Reports of runs", .temporaryFolder)
struct RunReportTests {
  /// The report of a run of the Notes sample, written to a file.
  private func report(
    _ name: String, _ options: RunOptions = RunOptions(), stage: String = "",
    sample: RunSample? = nil
  ) async throws -> String {
    let sample = try sample ?? RunSample()
    var options = options
    if stage.isEmpty { options.report = sample.path(name) }
    let text = try String(contentsOfFile: sample.path("notes.pipeline"), encoding: .utf8) + stage
    _ = try await sample.run(sample.plan(text), options)
    return String(decoding: try sample.bytes(name), as: UTF8.self)
  }

  private static let facts = ["never reads it", "pinned", "done"]

  @Test(
    "each form has what is different, what was lost and the run's id",
    arguments: [
      "r.html", "r.md", "r.json",
    ])
  func forms(name: String) async throws {
    let text = try await report(name)
    for fact in Self.facts { #expect(text.contains(fact), "\(fact)") }
    #expect(text.contains(/[0-9a-f]{8}-\d{8}T\d{6}Z/))
    #expect(text.contains("What happened to every value") || name == "r.json")
  }

  @Test("the page shows how the model changed, and nothing of values where that is not wanted")
  func page() async throws {
    var options = RunOptions()
    options.values = .none
    let text = try await report("r.html", options)
    #expect(text.contains("How the model changed"))
    #expect(text.contains("What the migration changed"))
    #expect(!text.contains("Milk") && !text.contains("\"high\""))
    #expect(text.contains("Values are hidden in this report."))
  }

  @Test("a stage writes the same, above the swap and below it", arguments: [true, false])
  func stage(isBelow: Bool) async throws {
    let sample = try RunSample()
    let stage = "stage \"report\" { to = \"r.json\" }\n"
    if !isBelow {
      let path = sample.path("notes.pipeline")
      let text = try String(contentsOfFile: path, encoding: .utf8)
        .replacing("stage \"swap\"", with: stage + "stage \"swap\"")
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      _ = try await sample.run()
    } else {
      _ = try await report("r.json", stage: stage, sample: sample)
    }
    let found = try JSONSerialization.jsonObject(with: sample.bytes("r.json")) as? [String: Any]
    let run = found?["run"] as? [String: Any]
    #expect(run?["outcome"] as? String == (isBelow ? "swapped" : "staged"))
    #expect((found?["objects"] as? [Any])?.count == 3)
    #expect(found?["lost"] as? Int == 3)
    #expect((found?["losses"] as? [Any])?.count == 11)
  }

  @Test("a stage above those that make the new store is refused: it has nothing to compare")
  func early() async throws {
    let sample = try RunSample()
    let path = sample.path("notes.pipeline")
    let text = try String(contentsOfFile: path, encoding: .utf8)
      .replacing(
        "stage \"transform\"", with: "stage \"report\" { to = \"r.md\" }\nstage \"transform\"")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    let error = await #expect(throws: (any Error).self) { try await sample.run() }
    #expect("\(try #require(error))".contains("stands below 'report'"))
  }

  @Test("rules that are broken are in the report of the run that they ended") func invalid()
    async throws
  {
    let sample = try RunSample()
    let path = sample.path("notes.pipeline")
    let text = try String(contentsOfFile: path, encoding: .utf8)
      .replacing("\"count(Label)\"", with: "\"count(Note)\"")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    let report = try await report("r.md", sample: sample)
    #expect(report.contains("What the migration would have changed"))
    #expect(report.contains("Rules that are broken"))
    #expect(report.contains("every tag is a label"))
  }

  @Test("objects that were rejected are listed, with why") func rejected() async throws {
    let sample = try RunSample(adding: "UPDATE ZNOTE SET ZPRIORITY = 'odd' WHERE Z_PK = 2;")
    let path = sample.path("notes.pipeline")
    let text = try String(contentsOfFile: path, encoding: .utf8)
      .replacing("script =", with: "on_error = \"reject\", script =")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    var options = RunOptions()
    options.dryRun = DryRun()
    let findings = try await Run(sample.plan(), store: sample.store, options: options).findings()
    let report = try #require(findings.report)
    #expect(report.rejected == ["Note": 1])
    let section = try #require(report.sections.first { $0.title == "Objects that were rejected" })
    #expect(section.rows.map { $0[0] } == ["Note 2"])
    let lines = report.losses?.lines.filter { $0.loss.lost > 0 } ?? []
    let sources = Set(lines.map { $0.declared?.split(separator: "/").last ?? "" })
    #expect(sources == ["rejected", "notes.pipeline:10"])
    #expect(report.losses?.undeclared == 0)
  }

  @Test("a run that stopped says so, and has no comparison") func stopped() async throws {
    let text = try await report("r.json", RunOptions(until: "copy"))
    #expect(text.contains("\"verdict\"") == false)
    #expect(text.contains("\"outcome\": \"stopped\""))
    #expect(text.contains("\"lost\": null"))
  }

  @Test("a run that is resumed behind the swap says that nothing was compared")
  func cutShort() {
    let summary = RunSummary(
      run: "r", store: "S.sqlite", source: "1", target: "2", outcome: .swapped,
      digests: PlanDigests(pipeline: "", scripts: [], models: ""))
    let report = RunReport(summary: summary, difference: nil, losses: nil, rejects: []).report
    #expect(report.verdict.contains("pipeline diff compares the store with its backup"))
  }
}
