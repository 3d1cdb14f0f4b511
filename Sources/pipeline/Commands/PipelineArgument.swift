import CoreDataStore
import StorePipeline

/// A pipeline file named on the command line, and what is set from outside.
struct PipelineArgument {
  let path: String
  /// Values of params, each `name=value`.
  let parameters: [String]

  /// Refuses a store where the pipeline file belongs, and says how the line should be.
  ///
  /// - Parameters:
  ///   - command: The command's name.
  ///   - others: The words that were taken for stores.
  /// - Throws: ``UsageError`` with the line as it should be.
  func checkOrder(_ command: String, _ others: [String] = []) throws(UsageError) {
    guard StoreFiles.isStore(path) else { return }
    let file = others.first { !StoreFiles.isStore($0) }
    let rest = ([path] + others.filter { $0 != file }).map(\.word).joined(separator: " ")
    throw UsageError(
      "\(path.word) is a store, and the pipeline file comes first: "
        + "pipeline \(command) \(file?.word ?? "FILE") \(rest)")
  }

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
