import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport

/// The Notes sample with scripts that reject objects, and what is needed to look at the result.
struct RetrySample: Sendable {
  /// The folder with the store, the models and the script.
  let folder: String

  /// Takes a folder in which the sample lies already.
  init(folder: String) { self.folder = folder }

  /// Lays the sample into the test's folder.
  init(adding sql: String = "") throws {
    folder = TemporaryFolder.url.path
    try NotesSample.lay(in: TemporaryFolder.url, adding: sql)
  }

  /// The store.
  var store: String { path("Notes.sqlite") }

  /// A path in the folder.
  func path(_ name: String) -> String { "\(folder)/\(name)" }

  private static func pipeline(_ stages: String) -> String {
    """
    pipeline "Notes" { format = 1, models = "Notes.xcdatamodeld", target = "Notes 2" }
    stage "detect" {}
    stage "open" {}
    stage "copy" { drop { "Note.done", "Note.priority" } }
    stage "transform" { entity = "Note", script = "notes.lua", on_error = "reject" }
    \(stages)
    stage "validate" {}
    stage "verify" {}
    stage "swap" {}
    """
  }

  /// A script that computes the priority of those notes whose title it knows.
  static func computing(_ titles: String...) -> String {
    """
    local known = { \(titles.map { "[\"\($0)\"] = true" }.joined(separator: ", ")) }
    return { attributes = { priority = function(title, priority)
      if not known[title] then error("a strange title") end
      return 1
    end } }
    """
  }

  /// The same, which makes whole objects, one more for each, and relates them.
  static func creating(_ titles: String...) -> String {
    """
    local known = { \(titles.map { "[\"\($0)\"] = true" }.joined(separator: ", ")) }
    return {
      attributes = { priority = 1 },
      creates = { "Note", "Attachment" },
      create = function(note, new, ctx)
        if not known[note.title] then ctx.reject("a strange title") end
        local copy = new.Note(note)
        new.Attachment { fileName = note.title, note = copy }
        return copy
      end,
      relate = function(object, ctx)
        if pcall(function() return object.title end) then object.body = "related" end
      end,
    }
    """
  }

  /// Writes the script.
  func write(_ script: String) throws {
    try script.write(toFile: path("notes.lua"), atomically: true, encoding: .utf8)
  }

  /// Runs the pipeline with a script, and with stages behind it.
  @discardableResult
  func run(_ script: String, stages: String = "") async throws -> RunSummary {
    try write(script)
    let pipeline = try PipelineFile(Self.pipeline(stages), path: path("test.pipeline")).pipeline()
    let plan = try Planner(pipeline: pipeline).plan(store: Store(store))
    return try await Run(plan, store: store).execute()
  }

  /// Feeds in what was rejected, with another script.
  @discardableResult
  func retry(
    _ script: String? = nil, events: @escaping @Sendable (ProgressEvent) -> Void = { _ in }
  ) async throws -> RetrySummary {
    if let script { try write(script) }
    return try await RejectRetry(store: store).run(events: events)
  }

  /// How many objects wait.
  var waiting: Int { get throws { try StoreRecovery(store: store).status().rejects } }

  /// Rows of the store.
  func rows(_ sql: String) throws -> [String] { try StoreRows.read(sql, at: store) }
}
