import CoreDataStore
import Foundation
import StorePipeline
import StorePrograms
import StoreTestSupport
import TestSupport
import Testing

/// The Notes sample in the folder of a test, and runs on it.
struct RunSample {
  /// The folder.
  let folder: URL

  /// Lays the sample into the test's folder; the store gets what the SQL adds, too.
  init(adding sql: String = "") throws {
    folder = TemporaryFolder.url
    try NotesSample.lay(in: folder, adding: sql)
  }

  /// The store.
  var store: String { path("Notes.sqlite") }

  /// A path in the folder.
  func path(_ name: String) -> String { folder.appending(path: name).path }

  /// The bytes of a file.
  func bytes(_ name: String = "Notes.sqlite") throws -> Data {
    try Data(contentsOf: URL(filePath: path(name)))
  }

  /// The plan of the sample's pipeline, or of another text, for the store.
  func plan(_ text: String? = nil, force: Bool = false, to target: String? = nil) throws -> Plan {
    let file =
      try text.map { PipelineFile($0, path: path("test.pipeline")) }
      ?? PipelineFile(path: path("notes.pipeline"))
    let pipeline =
      try target.map { try Pipeline.standard(models: [path("Notes.xcdatamodeld")], target: $0) }
      ?? file.pipeline()
    return try Planner(pipeline: pipeline, settings: PlanSettings(force: force))
      .plan(store: try Store(store))
  }

  /// Runs a plan, the sample's own unless another is given.
  @discardableResult
  func run(
    _ plan: Plan? = nil, _ options: RunOptions = RunOptions(),
    events: @escaping @Sendable (ProgressEvent) -> Void = { _ in }
  ) async throws -> RunSummary {
    try await Run(plan ?? self.plan(), store: store, options: options, programs: SystemPrograms())
      .execute(events: events)
  }

  /// The name of a store's version among the sample's models.
  func version(_ name: String = "Notes.sqlite") throws -> String? {
    let models = try ModelSource([path("Notes.xcdatamodeld")])
    return try Store(path(name)).recognise(among: models).model?.name
  }
}
