internal import CoreDataStore
internal import Lua
internal import StoreMigration

/// A stage written in Lua: one file that returns its description and its function.
public struct LuaStage: Sendable, Hashable {
  /// Its name, options and place.
  public let description: StageDescription
  /// The file, as mistakes name it.
  public let path: String
  /// The SHA-256 of the file and of everything it requires, in hexadecimal digits.
  public let digest: String
  /// Whether a run that was killed resumes inside the stage, and not at its beginning.
  public let isResumable: Bool
  /// Whether it works on objects that a retry puts into the store later.
  public let isRetriable: Bool

  let file: ScriptFile

  init(
    description: StageDescription, file: ScriptFile, digest: String, isResumable: Bool,
    isRetriable: Bool
  ) {
    self.description = description
    self.file = file
    self.digest = digest
    self.isResumable = isResumable
    self.isRetriable = isRetriable
    path = file.path
  }

  /// Loads a stage from its file.
  ///
  /// - Throws: ``PipelineFileError`` with everything that is wrong with it.
  public static func load(path: String) throws(PipelineFileError) -> LuaStage {
    do {
      return try load(ScriptFile(path: path))
    } catch let problem as Problem {
      throw PipelineFileError([problem])
    } catch let error as PipelineFileError {
      throw error
    } catch {
      throw PipelineFileError([Problem(file: path, line: 0, message: "\(error)")])
    }
  }

  /// Loads a stage in the sandbox, without options, and looks at what it returns.
  static func load(_ file: ScriptFile) throws -> LuaStage {
    try ScriptThread.run {
      var reader = LuaStageReader(file)
      do {
        let world = try LoadedScript(file, params: [:], limits: loading)
        if let stage = try reader.stage(world.result, digest: world.digest) { return stage }
      } catch let error as LuaError {
        reader.problems.append(file.problem(error))
      }
      throw PipelineFileError(reader.problems)
    }
  }

  /// What loading never needs more of.
  static let loading = LuaLimits(memory: 64 << 20, time: .seconds(5), instructions: 20_000_000)
}

extension LuaStage {
  /// What the stage may change, as it says itself: names of entities and of properties.
  ///
  /// - Throws: ``Problem`` when it says something else, or fails.
  func touches(_ options: [String: OptionValue]) throws -> [String] {
    try ScriptThread.run {
      do {
        let world = try LoadedScript(file, params: [:], limits: Self.loading)
        let touches = try world.result.field(LuaStageReader.Word.touches.rawValue)
        let said: LuaValue =
          try touches.kind == .function
          ? touches.call([.value(.fields(options.mapValues(\.scriptValue)))]).first ?? .null
          : touches.value()
        return try StageTouches.names(said, in: file)
      } catch let error as LuaError {
        throw file.problem(error)
      }
    }
  }
}
