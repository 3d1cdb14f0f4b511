import StorePipeline
import Testing

/// One stage of a test, read in a pipeline that has what it needs.
enum StageText {
  /// The stage, from the table that would stand behind its name.
  static func read(_ stage: StageDescription, _ table: String) throws -> PipelineStage {
    let text = StageDescriptionTests.pipeline(
      around: stage, as: "stage \"\(stage.name)\" \(table)")
    let pipeline = try PipelineText(text).pipeline()
    return try #require(pipeline.stages.first { $0.stage.name == stage.name }?.stage)
  }
}
