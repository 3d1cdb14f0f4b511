import CoreDataStore
import Foundation
import StorePipeline
import TestSupport
import Testing

/// A store of the corpus, copied into the folder of a test, and the migrations of it.
struct CorpusStore {
  /// The copy.
  let path: String

  /// Copies the store at a path below the corpus, the rows in its -wal included; the copy has the
  /// store's name unless it is given another.
  init(_ name: String, as copy: String? = nil) throws {
    let source = try Self.file(name)
    let target = TemporaryFolder.url.appending(
      path: copy ?? URL(filePath: source).lastPathComponent
    ).path
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: source + suffix) {
      try Data(contentsOf: URL(filePath: source + suffix)).write(to: URL(filePath: target + suffix))
    }
    path = target
  }

  /// The full path of a path below the corpus.
  static func file(_ name: String) throws -> String {
    try #require(OutsideMaterial.corpus.folder).appending(path: name).path
  }

  /// Files and folders below the corpus whose names end so, by path.
  static func paths(endingIn suffixes: String...) -> [String] {
    guard let folder = OutsideMaterial.corpus.folder,
      let all = FileManager.default.enumerator(atPath: folder.path)
    else { return [] }
    return all.compactMap { $0 as? String }
      .filter { name in suffixes.contains { name.hasSuffix($0) } }.sorted()
  }

  /// All stores, by their paths below the corpus.
  static let all = paths(endingIn: ".sqlite")

  /// Stores that no model can be had for: framework 241 kept none in the store, and the
  /// application's models are in the binary form of Xcode 3.
  static let withoutModel: Set = ["MagicalRecord/Samples/iOS/Resources/RecipeData/Recipes.sqlite"]

  /// What a skipped test says.
  static let advice = "set PIPELINE_CORPUS to a folder of real stores"
}

// Migrations.

extension CorpusStore {
  /// A pipeline that infers everything, and gives up what has no place.
  static func inferring(_ models: [String], to target: String? = nil) throws -> Pipeline {
    try Pipeline.standard(models: models, target: target)
  }

  /// A pipeline of the copies alone, a step a version.
  static func stepping(_ models: String, _ versions: [String]) throws -> Pipeline {
    let steps = versions.map { "step \"\($0)\" { stage \"copy\" {} }" }
    let text = """
      pipeline "P" { format = 1, models = "\(models)" }
      stage "detect" {} stage "open" {} \(steps.joined(separator: "\n"))
      stage "validate" {} stage "swap" {}
      """
    return try PipelineFile(text, path: TemporaryFolder.url.path + "/steps.pipeline").pipeline()
  }

  /// A pipeline file of the folder `Pipelines` next to this file.
  static func file(_ name: String, models: String) throws -> Pipeline {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    return try PipelineFile(path: folder.appending(path: "Pipelines/\(name)").path)
      .pipeline(PipelineSettings(parameters: ["models": models]))
  }

  /// What a pipeline would do; losses are accepted.
  func plan(_ pipeline: Pipeline, force: Bool = false) throws -> Plan {
    try Planner(pipeline: pipeline, settings: PlanSettings(acceptedLosses: ["*"], force: force))
      .plan(store: Store(path))
  }

  /// Takes the store through a pipeline; the new one takes its place.
  @discardableResult
  func run(_ pipeline: Pipeline, force: Bool = false) async throws -> RunSummary {
    let summary = try await Run(plan(pipeline, force: force), store: path).execute()
    #expect(summary.outcome == .swapped)
    return summary
  }
}
