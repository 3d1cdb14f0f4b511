import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport

/// A folder with a pipeline file, models of several versions, and the Notes sample where asked for.
struct PlanFolder {
  let url = TemporaryFolder.url

  /// The Notes sample in the folder.
  static func notes(adding sql: String = "") throws -> PlanFolder {
    let folder = PlanFolder()
    try NotesSample.lay(in: folder.url, adding: sql)
    return folder
  }

  /// Writes a model `App` whose versions have these insides: "App", "App 2" and so on.
  static func models(_ versions: [String], current: Int? = nil) throws -> PlanFolder {
    let folder = PlanFolder()
    for (place, body) in versions.enumerated() {
      let version = "App" + (place == 0 ? "" : " \(place + 1)")
      try folder.write(
        "<?xml version=\"1.0\"?><model documentVersion=\"1.0\">\(body)</model>",
        to: "App.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    let name = "App" + (versions.count == 1 ? "" : " \(current ?? versions.count)")
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key>
      <string>\(name).xcdatamodel</string></dict></plist>
      """, to: "App.xcdatamodeld/.xccurrentversion")
    return folder
  }

  /// Writes a file.
  func write(_ text: String, to name: String) throws {
    let file = url.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// The path of a file.
  func path(_ name: String) -> String { url.appending(path: name).path }

  /// The pipeline of a file, with a text for one where it is given.
  func pipeline(_ text: String? = nil, file: String = "notes.pipeline") throws -> Pipeline {
    if let text { try write(text, to: file) }
    return try PipelineFile(path: path(file)).pipeline()
  }

  /// The plan of a pipeline.
  func plan(
    _ text: String? = nil, store: String? = nil, _ settings: PlanSettings = PlanSettings()
  ) throws -> Plan {
    try Planner(pipeline: pipeline(text), settings: settings)
      .plan(store: try store.map { try Store(path($0)) })
  }

  /// The problems of a pipeline, each `FILE:LINE: first line`, without the folder.
  func check(_ text: String, _ settings: PlanSettings = PlanSettings()) throws -> [String] {
    try Planner.check(pipeline(text), settings: settings).problems.map { problem in
      String("\(problem)".split(separator: "\n")[0]).replacing(url.path + "/", with: "")
    }
  }

  /// The Notes pipeline with these words in place of the copy and transform stages.
  static func notesText(_ stages: String, header: String = #"target = "Notes 2""#) -> String {
    """
    pipeline "P" { format = 1, models = "Notes.xcdatamodeld", \(header) }
    stage "detect" {} stage "open" {}
    \(stages)
    stage "validate" {} stage "swap" {}
    """
  }

  /// A pipeline for the models `App`.
  static func appText(_ stages: String, header: String = "") -> String {
    """
    pipeline "P" { format = 1, models = "App.xcdatamodeld"\(header.isEmpty ? "" : ", ")\(header) }
    stage "detect" {} stage "open" {}
    \(stages)
    stage "validate" {} stage "swap" {}
    """
  }
}
