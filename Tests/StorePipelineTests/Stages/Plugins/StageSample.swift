import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport

/// The Notes sample with a stage in Lua between its copy and the end.
struct StageSample {
  let sample: RunSample

  /// The sample, with the file of a stage next to the pipeline file.
  init(_ stage: String? = nil, adding sql: String = "") throws {
    sample = try RunSample(adding: sql)
    if let stage { try write(stage) }
  }

  /// Writes the file of the stage.
  func write(_ stage: String, _ name: String = "stage.lua") throws {
    try Data(stage.utf8).write(to: URL(filePath: sample.path(name)))
  }

  /// A stage that does this with its context, and may change everything.
  static func file(_ body: String, touches: String = "{ \"*\" }", more: String = "") -> String {
    """
    return {
      name = "mine", summary = "Does it.", touches = \(touches), \(more)
      run = function(ctx)
        \(body)
      end,
    }
    """
  }

  /// The pipeline with these stages behind the copy.
  func text(
    _ stages: String = "stage \"mine\" {}", verify: Bool = false, plugins: Bool = true,
    metadata: String = ""
  ) -> String {
    """
    pipeline "P" {
      format = 1, models = "Notes.xcdatamodeld"\(plugins ? ", plugins = { \"stage.lua\" }" : ""),
    }
    stage "detect" {} stage "open" {}
    stage "copy" {
      drop { "Note.done" },
      map { entity = "Note", attributes = { priority = 0 } },
      accept_loss = "*",
    }
    \(stages)
    \(metadata)
    stage "validate" {}
    \(verify ? "stage \"verify\" {}" : "")
    stage "swap" {}
    """
  }

  /// Migrates the store with these stages.
  @discardableResult
  func run(_ text: String? = nil, _ options: RunOptions = RunOptions()) async throws -> RunSummary {
    try await sample.run(try sample.plan(text ?? self.text()), options)
  }

  /// The failure of the stage that ends the run; the store has to be as it was.
  func failure(_ stages: String = "stage \"mine\" {}") async throws -> ScriptFailure? {
    let before = try sample.bytes()
    do {
      try await run(text(stages))
      return nil
    } catch let failure as ScriptFailure {
      return try sample.bytes() == before ? failure : nil
    }
  }

  /// Rows of the migrated store, each as its values with `|` between them.
  func rows(_ sql: String) throws -> [String] { try StoreRows.read(sql, at: sample.store) }

  /// The mistakes that are reported of a pipeline with this stage.
  func mistakes(_ stages: String = "stage \"mine\" {}") -> [String] {
    do {
      let file = PipelineFile(text(stages), path: sample.path("test.pipeline"))
      return Planner.check(try file.pipeline()).problems.map(told)
    } catch {
      return error.problems.map(told)
    }
  }

  private func told(_ problem: Problem) -> String {
    "\(URL(filePath: problem.file).lastPathComponent):\(problem.line): \(problem.message)"
  }
}
