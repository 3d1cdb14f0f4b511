import StorePipeline

/// A pipeline file of a test: what it becomes, or the mistakes that are reported.
struct PipelineText {
  /// A header that has nothing wrong, on one line.
  static let header = #"pipeline "P" { format = 1, models = "P.xcdatamodeld" }"# + "\n"

  /// Stages that have nothing wrong, on one line.
  static let stages = """
    stage "detect" {} stage "open" {} stage "copy" {} stage "validate" {} stage "swap" {}

    """

  private let file: PipelineFile

  /// A file whose text is all there is.
  init(_ text: String, path: String = "/p/test.pipeline") {
    file = PipelineFile(text, path: path)
  }

  /// The pipeline.
  func pipeline(
    _ settings: PipelineSettings = PipelineSettings(), stages: StageRegistry = .standard
  ) throws -> Pipeline {
    try file.pipeline(settings, stages: stages, checksFiles: false)
  }

  /// The mistakes, each as `LINE: message`.
  func mistakes(
    _ settings: PipelineSettings = PipelineSettings(), stages: StageRegistry = .standard
  ) -> [String] {
    do {
      _ = try file.pipeline(settings, stages: stages, checksFiles: false)
      return []
    } catch {
      return error.problems.map { "\($0.line): \($0.message)" }
    }
  }
}
