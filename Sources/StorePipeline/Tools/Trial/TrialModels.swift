internal import CoreDataStore
internal import Formats
internal import Foundation

/// Where the models come from between which a script is tried or tested.
package enum TrialModels: Sendable {
  /// A pipeline file: its models, and the mapping around its scripts.
  case pipeline(Pipeline)
  /// Two versions of a model, and nothing but the one script between them.
  case versions(models: [String], from: String, to: String)

  /// A script, and the entity whose objects it is given.
  package struct Script: Sendable, Hashable {
    /// The Lua file.
    package var path: String
    /// The entity; nil for the one that the pipeline gives it, or that its file is named after.
    package var entity: String?
    /// What it finds as `params`, where no pipeline says so.
    package var params: [String: OptionValue]

    /// A script.
    package init(path: String, entity: String? = nil, params: [String: OptionValue] = [:]) {
      self.path = path
      self.entity = entity
      self.params = params
    }
  }

  /// A pipeline in which the script has its place.
  ///
  /// - Parameter script: The script.
  /// - Returns: The pipeline as it is, or one made for the script alone.
  /// - Throws: ``PipelineFileError``, `Failure` when the models cannot be used.
  package func pipeline(for script: Script) throws -> Pipeline {
    guard case .versions(let models, let from, let to) = self else {
      if case .pipeline(let pipeline) = self { return pipeline }
      throw PipelineFileError([])
    }
    let entity = try script.entity ?? Self.entity(of: script.path, models, from)
    return try Self.pipeline(script, entity, models, from, to)
  }

  /// The entity that a script's file is named after.
  private static func entity(of path: String, _ models: [String], _ from: String) throws -> String {
    let model = try ModelLibrary(models).model(named: from)
    let name = URL(filePath: path).deletingPathExtension().lastPathComponent
    let plain = { (text: String) in text.lowercased().filter { $0.isLetter || $0.isNumber } }
    let names = model.entities.filter { !$0.isAbstract }.map(\.name)
    if let found = names.first(where: { plain($0) == plain(name) }) { return found }
    let longest = names.filter { plain(name).hasPrefix(plain($0)) }.max { $0.count < $1.count }
    if let longest { return longest }
    throw PipelineFileError([
      Problem(
        file: path, line: 0,
        message: "nothing says which entity's objects the script is given; \(from) has "
          + names.map { "'\($0)'" }.joined(separator: ", "))
    ])
  }

  private static func pipeline(
    _ script: Script, _ entity: String, _ models: [String], _ from: String, _ to: String
  ) throws(PipelineFileError) -> Pipeline {
    let paths = models.map(Self.absolute)
    let transform: [JSONValue.Member] = [
      .init("entity", .string(entity)), .init("script", .string(Self.absolute(script.path))),
      .init("params", OptionValue.table(script.params).json),
    ]
    let stages = ["detect", "open", "copy", "transform", "connect", "validate", "swap"].map {
      JSONValue.object([
        .init("stage", .string($0)),
        .init("options", .object($0 == "transform" ? transform : [])),
      ])
    }
    let document = JSONValue.object([
      .init("format", .integer(Pipeline.formats.upperBound)),
      .init("pipeline", .string("\(from) to \(to)")), .init("models", .texts(paths)),
      .init("accept", .texts([from])), .init("target", .string(to)),
      .init("stages", .array(stages)),
    ])
    return try PipelineFile(document.text(), path: "--models").pipeline()
  }

  private static func absolute(_ path: String) -> String {
    URL(filePath: path).absoluteURL.standardizedFileURL.path
  }

  /// Whether the mapping around the script does not matter.
  var isScriptAlone: Bool { if case .versions = self { true } else { false } }
}
