internal import CoreDataStore
internal import Formats
internal import Foundation

extension Pipeline {
  /// The pipeline that `pipeline upgrade` runs: everything inferred, without a file.
  ///
  /// - Parameters:
  ///   - models: Paths of models, merged when there are several.
  ///   - target: The version to migrate to; nil means the current one.
  /// - Returns: The pipeline.
  /// - Throws: ``PipelineFileError`` when a path leads nowhere.
  public static func standard(
    models: [String], target: String? = nil
  ) throws(PipelineFileError) -> Pipeline {
    let missing = models.filter { !PipelinePath.exists($0) }
    guard missing.isEmpty else {
      throw PipelineFileError(
        missing.map { Problem(file: standardFile, line: 0, message: "there is no \($0)") })
    }
    var members: [JSONValue.Member] = [
      .init("format", .integer(formats.upperBound)), .init("pipeline", "the standard pipeline"),
      .init("file", .string(standardFile)), .init("models", .texts(models)),
    ]
    if let target { members.append(.init("target", .string(target))) }
    let stages = standardStages.map { JSONValue.object([.init("stage", .string($0))]) }
    members.append(.init("stages", .array(stages)))
    let folder = FileManager.default.currentDirectoryPath
    return try PipelineFile(JSONValue.object(members).text(), path: "\(folder)/pipeline").pipeline()
  }

  /// What mistakes name in place of a file; only the paths of models can be wrong there.
  private static let standardFile = "--models"

  /// Whether no file has been written for it, so that none can be corrected.
  var isStandard: Bool { file == Self.standardFile }

  private static let standardStages = [
    "detect", "open", "copy", "connect", "validate", "verify", "swap",
  ]
}
