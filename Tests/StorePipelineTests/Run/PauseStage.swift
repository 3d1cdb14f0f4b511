import StorePipeline

/// Does nothing: a place to stop at.
enum PauseStage: Stage {
  static let description = StageDescription(
    name: "pause", summary: "Does nothing.", details: "", consumes: [.objects],
    example: #"stage "pause" {}"#)

  static func run(_ stage: PipelineStage, _ context: RunContext) async throws {}
}
