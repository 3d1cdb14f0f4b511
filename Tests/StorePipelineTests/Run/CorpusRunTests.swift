import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite(
  "Runs on real stores", .temporaryFolder,
  .enabled(if: OutsideMaterial.corpus.isThere, "set PIPELINE_CORPUS to a folder of real stores"))
struct CorpusRunTests {
  /// Stores of one model at several versions, and how its versions are called.
  private struct Chain {
    let models: String
    let stores: String
    let version: @Sendable (Int) -> String

    static let bookmarks = Chain(
      models: "BrowserServicesKit/Sources/Bookmarks/BookmarksModel.xcdatamodeld",
      stores: "BrowserServicesKit/Tests/BookmarksTests/Resources/Bookmarks_V"
    ) { $0 == 1 ? "BookmarksModel" : "BookmarksModel \($0)" }
    static let sample = Chain(
      models: "CoreDataPlus/Tests/Resources/SampleModel/Fixtures/SampleModel.momd",
      stores: "CoreDataPlus/Tests/Resources/SampleModel/Fixtures/SampleModel_V"
    ) { $0 == 1 ? "SampleModel" : "SampleModel\($0)" }

    /// Copies a store into the folder of the test, the rows in its -wal included.
    func copy(_ number: Int) throws -> String {
      let target = TemporaryFolder.url.appending(path: "V\(number).sqlite").path
      for suffix in ["", "-wal"] {
        let source = URL(filePath: try path("\(stores)\(number).sqlite\(suffix)"))
        guard let data = try? Data(contentsOf: source) else { continue }
        try data.write(to: URL(filePath: target + suffix))
      }
      return target
    }

    func path(_ name: String) throws -> String {
      try #require(OutsideMaterial.corpus.folder).appending(path: name).path
    }

    /// Runs the standard pipeline, or the one with these steps, on a store.
    func run(
      _ store: String, to target: Int, steps: String? = nil, force: Bool = false
    )
      async throws -> RunSummary
    {
      let pipeline =
        try steps.map { steps in
          let header = """
            pipeline "P" { format = 1, models = "\(try path(models))" }
            stage "detect" {} stage "open" {} \(steps) stage "validate" {} stage "swap" {}
            """
          return try PipelineFile(header, path: store + ".pipeline.lua").pipeline()
        } ?? Pipeline.standard(models: [path(models)], target: version(target))
      let settings = PlanSettings(acceptedLosses: ["*"], force: force)
      let plan = try Planner(pipeline: pipeline, settings: settings).plan(store: Store(store))
      return try await Run(plan, store: store).execute()
    }
  }

  /// The numbers of entities and the highest keys; a store that was migrated keeps old names.
  private static func keys(_ path: String) throws -> [String] {
    try StoreRows.read("SELECT Z_ENT, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY 1", at: path)
  }

  /// The statements, without the model's copy, which needs a compiled model.
  private static func schema(_ path: String) throws -> [String] {
    try StoreRows.schema(at: path).filter { !$0.contains("Z_MODELCACHE") }
  }

  @Test("bookmarks of version 1 become what Core Data makes of them", arguments: 2...5)
  func bookmarks(target: Int) async throws {
    let (store, apple) = (try Chain.bookmarks.copy(1), try Chain.bookmarks.copy(target))
    let rows = try StoreRows.read("SELECT * FROM ZBOOKMARKENTITY", at: store).count
    let summary = try await Chain.bookmarks.run(store, to: target)
    #expect(summary.outcome == .swapped)
    #expect(try Self.schema(store) == Self.schema(apple))
    #expect(try Self.keys(store) == Self.keys(apple))
    #expect(try Store(store).metadata.hashes == Store(apple).metadata.hashes)
    #expect(try StoreRows.read("SELECT * FROM ZBOOKMARKENTITY", at: store).count == rows)
  }

  @Test("a chain of steps leads where the direct way leads, and leaves one store")
  func chain() async throws {
    let (direct, stepped) = (try Chain.bookmarks.copy(1), TemporaryFolder.url.path + "/S.sqlite")
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: direct + suffix) {
      try FileManager.default.copyItem(atPath: direct + suffix, toPath: stepped + suffix)
    }
    _ = try await Chain.bookmarks.run(direct, to: 5)
    let steps = (2...5).map { #"step "\#(Chain.bookmarks.version($0))" { stage "copy" {} }"# }
    let summary = try await Chain.bookmarks.run(
      stepped, to: 5, steps: steps.joined(separator: "\n"))
    #expect(summary.outcome == .swapped)
    #expect(try StoreRows.tables(at: stepped) == StoreRows.tables(at: direct))
    #expect(try Self.schema(stepped) == Self.schema(direct))
    let left = try FileManager.default.contentsOfDirectory(atPath: stepped + ".pipeline/run")
    #expect(left.filter { $0.hasSuffix(".sqlite") } == [])
  }

  @Test("cars of version 1 are those that Core Data has in version 2, row for row")
  func sample() async throws {
    let (store, apple) = (try Chain.sample.copy(1), try Chain.sample.copy(2))
    let summary = try await Chain.sample.run(store, to: 2)
    #expect(summary.outcome == .swapped)
    #expect(try StoreRows.schema(at: store) == StoreRows.schema(at: apple))
    #expect(try Self.keys(store) == Self.keys(apple))
    #expect(try Store(store).metadata.hashes == Store(apple).metadata.hashes)
    for table in ["ZCAR", "ZPERSON"] {
      let sql = "SELECT * FROM \(table) ORDER BY Z_PK"
      #expect(try StoreRows.read(sql, at: store) == StoreRows.read(sql, at: apple))
    }
  }

  @Test("forced to its own version, a store has the same objects", arguments: [1, 3, 5])
  func force(version: Int) async throws {
    let store = try Chain.bookmarks.copy(version)
    let before = try StoreRows.tables(at: store)
    _ = try await Chain.bookmarks.run(store, to: version, force: true)
    #expect(try StoreRows.tables(at: store) == before)
  }
}
