import CoreDataStore
import StorePipeline

/// `migrate FILE STORE`: what `pipeline run` does, with one stage more.
@main
struct Migrate {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 3 else { return print("usage: migrate FILE STORE") }
    let stages = StageRegistry.standard.with(StampStage.self)
    let pipeline = try PipelineFile(path: words[1]).pipeline(stages: stages)
    let plan = try Planner(pipeline: pipeline, stages: stages).plan(store: Store(words[2]))
    let run = Run(plan, store: words[2], stages: stages)
    let summary = try await run.execute { event in
      if let message = event.message { print(message) }
    }
    print("\(summary.source) to \(summary.target): \(summary.outcome)")
  }
}
