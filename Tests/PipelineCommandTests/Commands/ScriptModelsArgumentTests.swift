import StorePipeline
import Testing

@testable import pipeline

@Suite("The models around a script, on the command line")
struct ScriptModelsArgumentTests {
  private func open(_ change: (inout ScriptModelsArgument) -> Void) throws -> TrialModels? {
    var argument = ScriptModelsArgument()
    change(&argument)
    let console = Console(
      output: Recorder().stream(), errors: Recorder().stream(), environment: [:])
    return try argument.open(console)
  }

  @Test("none need be named")
  func none() throws {
    #expect(try open { _ in } == nil)
  }

  @Test("models and both versions are named together")
  func versions() throws {
    let found = try open { ($0.models, $0.from, $0.to) = (["a.mom", "b.mom"], "A", "B") }
    guard case .versions(let models, let from, let to)? = found else {
      Issue.record("\(String(describing: found))")
      return
    }
    #expect(models == ["a.mom", "b.mom"] && from == "A" && to == "B")
  }

  @Test("a part alone is a mistake of the command line")
  func parts() {
    let changes: [(inout ScriptModelsArgument) -> Void] = [
      { $0.models = ["a.mom"] }, { $0.from = "A" }, { $0.to = "B" },
      { ($0.from, $0.to) = ("A", "B") }, { ($0.models, $0.from) = (["a.mom"], "A") },
      { $0.parameters = ["a=b"] }, { ($0.pipeline, $0.models) = ("a.pipeline", ["a.mom"]) },
      { ($0.pipeline, $0.to) = ("a.pipeline", "B") },
    ]
    for change in changes {
      #expect(throws: UsageError.self) { try open(change) }
    }
  }

  @Test("a pipeline file that is not there is reported as a mistake in that file")
  func gone() {
    #expect(throws: PipelineFileError.self) {
      try open { $0.pipeline = "/no/such/file.pipeline" }
    }
  }
}
