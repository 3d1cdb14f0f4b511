import CoreDataStore
import Formats
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite(
  "Every store, migrated to the version it has", .temporaryFolder,
  .enabled(if: OutsideMaterial.corpus.isThere, Comment(rawValue: CorpusStore.advice)))
struct ForcedConformanceTests {
  /// Rows that are to differ: Core Data left the old name of a renamed entity in one store.
  private static let corrected = [
    "SampleModel_V2.sqlite": ["3|ExpensiveSportCar|2|0": "3|LuxuryCar|2|0"]
  ]

  /// All rows of all tables, as they have to be afterwards.
  private static func expected(_ path: String, _ name: String) throws -> [String: [String]] {
    let known = corrected.first { name.hasSuffix($0.key) }?.value ?? [:]
    return try StoreRows.tables(at: path).mapValues { $0.map { known[$0] ?? $0 } }
  }

  /// What is kept in the metadata, but for the record of the run.
  private static func metadata(_ path: String) throws -> [String: PropertyList] {
    try Store(path).metadata.entries.filter { $0.key != Metadata.Key.log }
  }

  private static func settings(_ path: String) throws -> [String] {
    try ["page_size", "auto_vacuum", "user_version", "application_id", "encoding", "journal_mode"]
      .flatMap { try StoreRows.read("PRAGMA \($0)", at: path) }
  }

  @Test("has the same schema, objects, links, history and metadata", arguments: CorpusStore.all)
  func forced(name: String) async throws {
    let (store, source) = (
      try CorpusStore(name), try CorpusStore(name, as: "source.sqlite")
    )
    guard !CorpusStore.withoutModel.contains(name) else {
      let error = #expect(throws: Failure.self) {
        try store.plan(CorpusStore.inferring([source.path]))
      }
      print("forced: \(name): \(error?.why ?? "not refused")")
      return
    }
    let summary = try await store.run(CorpusStore.inferring([source.path]), force: true)
    let tables = try StoreRows.tables(at: store.path)
    #expect(try tables == Self.expected(source.path, name))
    #expect(try StoreRows.schema(at: store.path) == StoreRows.schema(at: source.path))
    #expect(try Self.metadata(store.path) == Self.metadata(source.path))
    #expect(try Self.settings(store.path) == Self.settings(source.path))
    let model = try ModelLibrary([source.path]).current
    #expect(try MadeStore(store.path).faults(of: model) == [])
    let kept = summary.entities.count { $0.how == "kept" }
    print(
      "forced: \(name): \(summary.rows) objects of \(summary.entities.count) entities,",
      "\(kept) kept, \(tables.count) tables the same")
  }
}
