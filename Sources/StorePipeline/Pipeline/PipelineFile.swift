import Foundation
import Formats
import Lua

/// A pipeline file: Lua that describes a migration, or the JSON of one that was evaluated before.
public struct PipelineFile: Sendable, Equatable {
  /// The file, as mistakes name it.
  public let path: String
  /// The folder that the paths in it are relative to.
  public let folder: String
  /// What stands in it.
  public let text: [UInt8]

  /// A pipeline that need not be a file.
  ///
  /// - Parameters:
  ///   - text: What would stand in it.
  ///   - path: What mistakes call it; its folder is what paths are relative to.
  public init(_ text: String, path: String) {
    self.text = Array(text.utf8)
    self.path = path
    folder = PipelinePath.folder(of: path)
  }

  /// Reads a file.
  public init(path: String) throws(PipelineFileError) {
    self.path = path
    folder = PipelinePath.folder(of: path)
    do {
      text = try WrittenText.read(path, as: "pipeline file")
    } catch {
      throw PipelineFileError([error])
    }
  }

  /// Evaluates the file and checks everything that can be checked without a model or a store.
  ///
  /// - Parameters:
  ///   - settings: What it is given from outside.
  ///   - stages: The stages it may name.
  ///   - checksFiles: Whether the models and scripts it names must be there.
  /// - Returns: The pipeline.
  /// - Throws: All mistakes there are.
  public func pipeline(
    _ settings: PipelineSettings = PipelineSettings(), stages: StageRegistry = .standard,
    checksFiles: Bool = true
  ) throws(PipelineFileError) -> Pipeline {
    let source = try source(settings, stages)
    var checker = PipelineChecker(source, stages: stages, checksFiles: checksFiles)
    return try checker.pipeline()
  }

  private func source(
    _ settings: PipelineSettings, _ stages: StageRegistry
  ) throws(PipelineFileError) -> PipelineSource {
    do {
      // No Lua begins with a brace.
      if text.first(where: { !$0.isSpace }) == UInt8(ascii: "{") {
        return try PipelineDocument(file: path, folder: folder, text: text).source(settings)
      }
      let evaluation = PipelineEvaluation(
        file: path, folder: folder, text: text, settings: settings,
        stages: stages.names)
      return try ScriptThread.run { try evaluation.source() }
    } catch let problem as Problem {
      throw PipelineFileError([problem])
    } catch let error as LuaError {
      throw PipelineFileError([Problem(file: path, line: 0, message: error.message)])
    } catch {
      throw PipelineFileError([Problem(file: path, line: 0, message: "\(error)")])
    }
  }
}

extension UInt8 {
  /// Whether JSON and Lua pass over this byte.
  fileprivate var isSpace: Bool { [0x20, 0x09, 0x0a, 0x0d].contains(self) }
}
