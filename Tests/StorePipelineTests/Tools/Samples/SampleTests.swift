import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

extension Sample: CustomTestStringConvertible {
  /// Its name, so that a test's output stays readable.
  public var testDescription: String { name }
}

@Suite("The samples", .temporaryFolder)
struct SampleTests {
  static let project = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../..").standardizedFileURL

  private func lay(_ sample: Sample, _ name: String) throws -> URL {
    let folder = TemporaryFolder.url.appending(path: name)
    _ = try SampleFolder(Self.project).lay(sample, in: folder.path, size: .small)
    return folder
  }

  private func stores(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix(".sqlite") || $0.hasSuffix(".store") }
      .map { folder.appending(path: $0).path }
  }

  private func facts(of store: String, in folder: URL) throws -> StoreFacts {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let models = try #require(names.first { $0.hasSuffix(".xcdatamodeld") })
    let opened = try Store(store)
    return try opened.facts(
      opened.recognise(among: try ModelSource([folder.appending(path: models).path])))
  }

  private func pipeline(in folder: URL) throws -> Pipeline {
    // The folder of a run that was stopped has the same ending.
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let file = try #require(
      names.first { name in
        name.hasSuffix(".pipeline") && !name.contains(".sqlite") && !name.contains(".store")
      })
    return try PipelineFile(path: folder.appending(path: file).path).pipeline()
  }

  @Test("what is made is whole, and the same every time", arguments: Sample.all)
  func same(sample: Sample) throws {
    let (first, second) = (try lay(sample, "first"), try lay(sample, "second"))
    let stores = try stores(in: first)
    #expect(!stores.isEmpty)
    for (store, other) in zip(stores, try self.stores(in: second)) {
      let facts = try facts(of: store, in: first)
      #expect(facts.recognition.model != nil)
      #expect(facts.foreign.isEmpty)
      #expect(facts.externalFiles?.missing ?? 0 == 0)
      #expect(try rows(of: store) == rows(of: other))
    }
  }

  @Test("nothing is wrong with its pipeline file", arguments: Sample.all)
  func check(sample: Sample) throws {
    #expect(Planner.check(try pipeline(in: try lay(sample, "sample"))).problems == [])
  }

  @Test("every store of it is migrated, validated and verified", arguments: Sample.all)
  func run(sample: Sample) async throws {
    let folder = try lay(sample, "sample")
    let planner = try Planner(pipeline: try pipeline(in: folder))
    let fleet = Fleet(planner, stores: try FleetStore.list(try stores(in: folder)))
    let summary = await fleet.execute()
    #expect(summary.status == 0, "\(summary.entries)")
    let again = await fleet.execute()
    #expect(again.entries.allSatisfy { $0.outcome.word == "up to date" })
  }

  @Test("a killed run resumes, with the same result", arguments: Sample.all)
  func resume(sample: Sample) async throws {
    let (folder, other) = (try lay(sample, "sample"), try lay(sample, "other"))
    for (store, twin) in zip(try stores(in: folder), try stores(in: other)) {
      for until in ["copy", "validate", "swap"] { try await run(store, folder, until: until) }
      try await run(twin, other, until: nil)
      #expect(try rows(of: store) == rows(of: twin))
    }
  }

  private func run(_ store: String, _ folder: URL, until: String?) async throws {
    let plan = try Planner(pipeline: try pipeline(in: folder)).plan(store: try Store(store))
    // A store of the newest version has no stage to stop after.
    let options = RunOptions(until: plan.isCurrent ? nil : until)
    _ = try await Run(plan, store: store, options: options).execute()
  }

  /// Values that a file next to the store holds are named by new UUIDs each time, and the last
  /// transaction has the time of the migration.
  private func rows(of store: String) throws -> [String: [String]] {
    var tables = try StoreRows.tables(at: store).filter { $0.key != "ZENTRY" }
    tables["ATRANSACTION"]?.removeLast()
    return tables
  }
}
