import CoreDataStore
import Formats
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

/// Plans and migrated stores, as they were when the files next to this one were written.
///
/// A change of the source that is meant to change nothing changes none of these files. With
/// `PIPELINE_GOLDEN=write` in the environment the test writes them again, and `git diff` shows what
/// a change does to plans and stores.
@Suite("Plans and results that stay as they are", .temporaryFolder)
struct GoldenTests {
  private static let expected = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Expected")
  private static let writes = ProcessInfo.processInfo.environment["PIPELINE_GOLDEN"] == "write"

  /// Without the trait Images there is no `image`, which the script of one sample calls.
  private static let samples = Sample.all.filter { sample in
    #if Images
    true
    #else
    sample.name != "moving-van"
    #endif
  }

  @Test("a sample's stores are planned and migrated as ever", arguments: samples)
  func sample(sample: Sample) async throws {
    _ = try SampleFolder(SampleTests.project).lay(
      sample, in: TemporaryFolder.url.path, size: .small)
    let names = try FileManager.default.contentsOfDirectory(atPath: TemporaryFolder.url.path)
    let pipeline = try #require(names.first { $0.hasSuffix(".pipeline") })
    let stores = names.filter { $0.hasSuffix(".sqlite") || $0.hasSuffix(".store") }.sorted()
    try await compare(sample.name, pipeline, stores)
  }

  @Test("the notes of the tests are planned and migrated as ever")
  func notes() async throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    try await compare("notes-of-tests", "notes.pipeline", ["Notes.sqlite"])
  }

  @Test(
    "real stores are planned and migrated as ever",
    .enabled(if: OutsideMaterial.corpus.isThere, Comment(rawValue: CorpusStore.advice)),
    arguments: ["posts", "posts_direct"])
  func posts(name: String) async throws {
    let folder = "CoreDataMigration-Example/CoreDataMigration-Example"
    let models = try CorpusStore.file(
      "\(folder)/CoreData/Model/CoreDataMigration_Example.xcdatamodeld")
    let store = "\(folder)Tests/Resources/SQLite/CoreDataMigration_Example_1.sqlite"
    _ = try CorpusStore(store, as: "Posts.sqlite")
    let pipeline = try CorpusStore.file("\(name).pipeline", models: models)
    // Of a store that is not ours only digests are kept.
    try await compare(name, pipeline, ["Posts.sqlite"], quotes: false)
  }

  private func compare(_ name: String, _ file: String, _ stores: [String]) async throws {
    let path = TemporaryFolder.url.appending(path: file).path
    try await compare(name, try PipelineFile(path: path).pipeline(), stores)
  }

  private func compare(
    _ name: String, _ pipeline: Pipeline, _ stores: [String], quotes: Bool = true
  ) async throws {
    var lines: [String] = []
    for store in stores {
      let path = TemporaryFolder.url.appending(path: store).path
      let plan = try Planner(
        pipeline: pipeline, settings: PlanSettings(acceptedLosses: ["*"])
      ).plan(store: try Store(path))
      let planned = try Self.text(of: plan, quotes: quotes)
      lines += ["plan of \(store)", quotes ? planned : Self.digest([planned])]
      _ = try await Run(plan, store: path).execute()
      let result = try Self.contents(of: path)
      lines += ["result of \(store)"] + (quotes ? result : [Self.digest(result)])
    }
    let text = lines.joined(separator: "\n") + "\n"
    let file = Self.expected.appending(path: "\(name).txt")
    if Self.writes { return try Data(text.utf8).write(to: file) }
    let expected = try String(contentsOf: file, encoding: .utf8)
    let pairs = zip(expected.split(separator: "\n"), text.split(separator: "\n"))
    let first = pairs.first { $0 != $1 }.map { "was: \($0)\nis:  \($1)" }
    #expect(text == expected, "\(name) differs, first here:\n\(first ?? "one is longer")")
  }

  /// The plan as JSON, without what is of this machine: paths, and the space that is free.
  private static func text(of plan: Plan, quotes: Bool) throws -> String {
    var text = JSONPlanReport(plan).text.replacing(TemporaryFolder.url.path, with: "FOLDER")
      .replacing(SampleTests.project.path, with: "PROJECT")
    if let corpus = OutsideMaterial.corpus.folder {
      text = text.replacing(corpus.path, with: "CORPUS")
    }
    let limits = FormatLimits(bytes: 1 << 24, nodes: 1 << 20, depth: 32)
    let members = try JSONValue(reading: Array(text.utf8), limits: limits).members ?? []
    // A real store's pipeline names its models where they lie, and its digest says so.
    let local: Set = quotes ? ["space"] : ["space", "digest"]
    return JSONValue.object(members.filter { !local.contains($0.name) }).text(.pretty)
  }

  /// A digest of the schema and of each table's rows, with what the metadata says of the version.
  private static func contents(of path: String) throws -> [String] {
    let metadata = try Store(path).metadata
    let hashes = metadata.hashes.sorted { $0.key < $1.key }
      .map { "hash \($0.key) \(Hex.encode(Array($0.value.bytes)))" }
    let keys = "keys \(metadata.applicationKeys.joined(separator: " "))"
    let schema = "schema \(digest(try StoreRows.schema(at: path)))"
    let tables = try StoreRows.tables(at: path).sorted { $0.key < $1.key }.map { name, rows in
      // A transaction has the time of the run that marked the history.
      let rows =
        name == "ATRANSACTION" ? rows.map { $0.replacing(/\d{9}\.\d+/, with: "TIME") } : rows
      return "table \(name) \(rows.count) \(digest(rows.map(withoutFiles)))"
    }
    return hashes + [keys, schema] + tables
  }

  /// A row without what is new each time: the names of files of large values, and UUIDs.
  private static func withoutFiles(_ row: String) -> String {
    row.replacing(/2( [0-9a-f]{2}){36} 0/, with: "FILE")
      .replacing(/[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/, with: "UUID")
  }

  private static func digest(_ lines: [String]) -> String {
    Hex.encode(Digest.sha256(Array(lines.joined(separator: "\n").utf8)))
  }
}
