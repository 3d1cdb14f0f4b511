import StorePipeline

/// The options by which `try` and `test` learn the models around a script.
struct ScriptModelsArgument: Sendable {
  var pipeline: String?
  var models: [String] = []
  var from: String?
  var to: String?
  var parameters: [String] = []

  static let arguments: [Argument<Self>] = [
    .option(
      "pipeline", value: "FILE", \.pipeline, "The pipeline file that names the script.",
      takes: .pipeline),
    .repeated("models", value: "PATH", \.models, "The models; several are merged.", takes: .model),
    .option("from", value: "VERSION", \.from, "The version of the objects it is given."),
    .option("to", value: "VERSION", \.to, "The version of the objects it makes."),
    .repeated("set", value: "NAME=VALUE", \.parameters, "Set a param of the pipeline file."),
  ]

  /// The models; nil when none were named.
  func open(_ console: Console) throws -> TrialModels? {
    if let pipeline {
      guard models.isEmpty, from == nil, to == nil else {
        throw UsageError("--pipeline says the models; it does not go with --models, --from, --to")
      }
      return .pipeline(try PipelineArgument(path: pipeline, parameters: parameters).open(console))
    }
    guard parameters.isEmpty else { throw UsageError("--set needs --pipeline") }
    guard let from, let to, !models.isEmpty else {
      guard models.isEmpty, from == nil, to == nil else {
        throw UsageError("--models, --from and --to go together")
      }
      return nil
    }
    return .versions(models: models, from: from, to: to)
  }
}
