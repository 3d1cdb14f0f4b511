import StorePipeline

/// Does nothing: a place to stop at.
struct PauseStage: Stage {
  static let description = StageDescription(
    name: "pause", summary: "Does nothing.", details: "", consumes: [.objects],
    example: #"stage "pause" {}"#)

  func run(_ context: RunContext) async throws {}
}
