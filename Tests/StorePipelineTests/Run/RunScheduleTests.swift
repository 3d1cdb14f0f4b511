import Testing

@testable import StorePipeline

@Suite("The order of a run")
struct RunScheduleTests {
  /// The units of a pipeline, in words: `copy@0`, `finish@0`.
  private static func units(_ stages: String, _ steps: [String]) throws -> [String] {
    let pipeline = try PipelineText(PipelineText.header + stages).pipeline()
    return RunSchedule(pipeline.entries, steps: steps, stages: .standard).units.map { unit in
      switch unit {
      case .stage(let stage, let step): stage.name + (step.map { "@\($0)" } ?? "")
      case .verifyMade(let step): "made@\(step)"
      case .complete(let step): "complete@\(step)"
      case .verify(let step, _): "verify@\(step)"
      case .closeStep(let step): "close@\(step)"
      case .check: "check"
      case .compare: "compare"
      case .keep: "keep"
      }
    }
  }

  @Test("links and the end of the store come behind the last stage that builds it")
  func direct() throws {
    #expect(
      try Self.units(PipelineText.stages, ["P 2"])
        == [
          "detect", "open", "copy@0", "connect@0", "complete@0", "close@0", "validate",
          "check", "compare", "swap", "compare",
        ])
  }

  @Test("a stage connect that is written stays where it stands")
  func connect() throws {
    let stages = """
      stage "detect" {} stage "open" {} stage "copy" {} stage "connect" {} stage "swap" {}
      """
    #expect(
      try Self.units(stages, ["P 2"])
        == [
          "detect", "open", "copy@0", "connect@0", "complete@0", "close@0", "check",
          "compare", "swap", "compare",
        ])
  }

  @Test("of a chain the steps that remain are done, each with its end")
  func chain() throws {
    let stages = """
      stage "detect" {} stage "open" {}
      step "P 2" { stage "copy" {} } step "P 3" { stage "copy" {} } step "P 4" { stage "copy" {} }
      stage "swap" {}
      """
    #expect(
      try Self.units(stages, ["P 3", "P 4"]) == [
        "detect", "open", "copy@0", "connect@0", "complete@0", "close@0", "copy@1", "connect@1",
        "complete@1", "close@1", "check", "compare", "swap", "compare",
      ])
  }
}
