import CoreDataStore
import Formats
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport

/// Two versions of a model, and a store of the first, in the folder of a test.
struct MadePair {
  /// The path of the store.
  let store: String
  private let models: String

  /// Versions with these insides; the rows are put into the store's tables, and Z_MAX follows.
  init(
    _ before: String, _ after: String, rows: String, keepsHistory: Bool = false,
    metadata: [String: PropertyList] = [:], recordsHashes: Bool = true
  ) throws {
    let folder = TemporaryFolder.url
    (store, models) = (
      folder.appending(path: "S.sqlite").path, folder.appending(path: "M.xcdatamodeld").path
    )
    for (name, body) in [("M", before), ("M 2", after)] {
      let version = URL(filePath: models).appending(path: "\(name).xcdatamodel")
      let recorded = try AppStores.recorded(body, name: name)
      if recorded.recordedHashes.isEmpty || (!recordsHashes && name != "M") {
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        try Self.xml(body).write(
          to: version.appending(path: "contents"), atomically: true, encoding: .utf8)
      } else {
        try ModelWriter(recorded).write(to: version.path)
      }
    }
    let model = try ModelFile(models).model(named: "M")
    let roots = try StoreSchema(of: model).entities.filter { $0.parentNumber == 0 }
    let highest = roots.map {
      "UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT ifnull(max(Z_PK), 0) FROM \($0.table)) "
        + "WHERE Z_ENT = \($0.number);"
    }
    try SampleStore.make(
      of: model, at: store,
      contents: NewStoreContents(keepsHistory: keepsHistory, metadata: metadata),
      adding: rows + highest.joined())
  }

  private static func xml(_ body: String) -> String {
    "<?xml version=\"1.0\"?><model documentVersion=\"1.0\">\(body)</model>"
  }

  /// The names of the tables of pairs that a version with these insides has.
  static func joinTables(_ body: String) throws -> [String] {
    let model = try SourceModelReader.read(Array(xml(body).utf8), name: "M")
    return try StoreSchema(of: model).joinTables.map(\.name)
  }

  /// The plan for the store, with these rules for `copy`, options of `open`, and more stages.
  func plan(_ rules: String = "", open: String = "", more: String = "") throws -> Plan {
    let text = """
      pipeline "P" { format = 1, models = "M.xcdatamodeld", target = "M 2" }
      stage "detect" {} stage "open" { \(open) } stage "copy" { \(rules) }
      \(more) stage "validate" {} stage "swap" {}
      """
    let file = PipelineFile(text, path: TemporaryFolder.url.appending(path: "p.pipeline").path)
    return try Planner(pipeline: file.pipeline()).plan(store: Store(store))
  }

  /// Migrates the store, and gives back what is wrong with it, and the summary.
  func run(
    _ rules: String = "", open: String = "", more: String = ""
  ) async throws -> (faults: [String], summary: RunSummary) {
    let summary = try await Run(plan(rules, open: open, more: more), store: store).execute()
    let model = try ModelFile(models).model(named: "M 2")
    let ended = summary.outcome == .swapped ? [] : ["ended as \(summary.outcome)"]
    return (try ended + MadeStore(store).faults(of: model), summary)
  }

  /// Puts a file next to the pipeline file.
  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: TemporaryFolder.url.appending(path: name))
  }

  /// Rows of the store.
  func rows(_ sql: String) throws -> [String] { try StoreRows.read(sql, at: store) }
}

extension MadePair {
  /// An entity with these properties.
  static func entity(_ name: String, _ parent: String? = nil, _ properties: String...) -> String {
    let heir = parent.map { " parentEntity=\"\($0)\"" } ?? ""
    return "<entity name=\"\(name)\"\(heir)>\(properties.joined())</entity>"
  }

  /// An optional text.
  static func text(_ name: String) -> String {
    "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"String\"/>"
  }

  /// An optional relationship to one object.
  static func one(
    _ name: String, _ destination: String, _ inverse: String? = nil, _ more: String = ""
  ) -> String {
    link(name, destination, inverse, "maxCount=\"1\" " + more)
  }

  /// An optional relationship to many.
  static func many(
    _ name: String, _ destination: String, _ inverse: String? = nil, _ more: String = ""
  ) -> String {
    link(name, destination, inverse, "toMany=\"YES\" " + more)
  }

  private static func link(
    _ name: String, _ destination: String, _ inverse: String?, _ more: String
  ) -> String {
    let back = inverse.map { " inverseName=\"\($0)\" inverseEntity=\"\(destination)\"" } ?? ""
    return "<relationship name=\"\(name)\" optional=\"YES\" destinationEntity=\"\(destination)\""
      + "\(back) \(more)/>"
  }
}
