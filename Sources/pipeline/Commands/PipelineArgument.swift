import StorePipeline

/// A pipeline file named on the command line, and what is set from outside.
struct PipelineArgument {
  let path: String
  /// Values of params, each `name=value`.
  let parameters: [String]

  /// The pipeline, evaluated and checked as far as the file alone allows.
  ///
  /// - Throws: ``PipelineFileError`` with all mistakes, ``UsageError`` for a value without a name.
  func open(_ console: Console) throws -> Pipeline {
    var settings = PipelineSettings(environment: console.environment)
    for text in parameters {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let name = parts.first, !name.isEmpty else {
        throw UsageError("--set takes name=value, not \(text.quoted)")
      }
      settings.parameters[String(name)] = String(parts[1])
    }
    return try PipelineFile(path: path).pipeline(settings)
  }
}
