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
          "check", "compare", "swap",
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
          "compare", "swap",
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
        "complete@1", "close@1", "check", "compare", "swap",
      ])
  }

  @Test("a report has the stores compared at the end, where nothing was replaced")
  func reports() throws {
    let text = PipelineText.header + PipelineText.stages
    let staged = text.replacing(#"stage "swap" {}"#, with: "")
    for (text, isCompared) in [(text, false), (staged, true)] {
      let entries = try PipelineText(text).pipeline().entries
      let schedule = RunSchedule(entries, steps: ["P 2"], stages: .standard, reports: true)
      #expect((schedule.units.last == .compare) == isCompared)
    }
  }

  @Test("a dry run leaves out what would outlive it, and keeps the result at its end")
  func dry() throws {
    let text = PipelineText.header + PipelineText.stages
    let entries = try PipelineText(text).pipeline().entries
    let schedule = RunSchedule(entries, steps: ["P 2"], stages: .standard, isDry: true)
    #expect(schedule.units.suffix(3) == [.check, .compare, .keep])
    #expect(!schedule.names.contains("swap"))
  }

  /// A stage that changes objects which others have made, and links nothing.
  private struct GlueStage: Stage {
    static let description = StageDescription(
      name: "glue", summary: "Glues.", details: "", consumes: [.objects], produces: [.objects],
      place: .inStep, example: "")

    func run(_ context: RunContext) async throws {}
  }

  @Test("a stage of one's own does not stand in for the one that links, and without that none runs")
  func connector() throws {
    let stages = StageRegistry.standard.with(GlueStage.self)
    let text = """
      stage "detect" {} stage "open" {} stage "copy" {} stage "glue" {} stage "swap" {}
      """
    let pipeline = try PipelineText(PipelineText.header + text).pipeline(stages: stages)
    for stages in [stages, stages.without("connect")] {
      let schedule = RunSchedule(pipeline.entries, steps: ["P 2"], stages: stages)
      #expect(schedule.names == ["detect", "open", "copy", "glue", "connect", "swap"])
    }
  }
}
