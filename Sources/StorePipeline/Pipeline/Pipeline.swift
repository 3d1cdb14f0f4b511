/// A pipeline file after it was evaluated and checked: plain data, complete with all defaults.
///
/// It says what shall be done and does nothing. Two pipelines are equal when they say the same and
/// were written at the same places; `digest` leaves the places out.
public struct Pipeline: Sendable, Equatable {
  /// The formats of pipeline files that this version reads.
  public static let formats: ClosedRange<Int64> = 1...1

  /// The file, as it was named; mistakes found later name it too.
  public let file: String
  /// The folder that the paths in it are relative to.
  public let folder: String
  /// What its author calls it.
  public let name: String
  /// The format it is written in.
  public let format: Int
  /// The models, merged when there are several, as they were written.
  public let models: [String]
  /// The versions it takes; nil means all that are known.
  public let accept: [String]?
  /// The version it migrates to; nil means the current one.
  public let target: String?
  /// The stores that the file names, as they were written: paths, and patterns of paths.
  public let stores: [String]
  /// The files of stages in Lua, as they were written, and what they are.
  public let plugins: [Plugin]
  /// The line the pipeline begins on, 0 where none is known.
  public let line: Int
  /// The lines of what stands at its beginning, `models` or `target`, where these are others.
  public let optionLines: [String: Int]
  /// Its params with the values they have.
  public let parameters: [PipelineParameter]
  /// The stages and steps, in the order they run.
  public let entries: [Entry]
  /// What its scripts were when the plan was made that it was read from, by their names in the
  /// file; none for a file that is no plan.
  var scriptDigests: [String: String] = [:]

  /// A stage in Lua that the pipeline brings along.
  public struct Plugin: Sendable, Equatable {
    /// The file, as it was written.
    public let path: String
    /// What it is.
    public let stage: LuaStage
  }

  /// The parts of a pipeline.
  public enum Entry: Sendable, Equatable {
    /// A stage of its own.
    case stage(PipelineStage)
    /// A step of a chain of versions.
    case step(PipelineStep)
  }

  /// The steps, in order; none means that the mapping is direct.
  public var steps: [PipelineStep] {
    entries.compactMap { entry in
      guard case .step(let step) = entry else { return nil }
      return step
    }
  }

  /// All stages in order, those inside steps with their step.
  public var stages: [(stage: PipelineStage, step: PipelineStep?)] {
    entries.flatMap { entry in
      switch entry {
      case .stage(let stage): [(stage, PipelineStep?.none)]
      case .step(let step): step.stages.map { ($0, step) }
      }
    }
  }

  /// Where a path of the file leads.
  public func resolve(_ path: String) -> String { PipelinePath.resolve(path, in: folder) }

  /// Where a path of the file leads, from the current folder on when it is below that.
  func shownPath(_ path: String) -> String { PipelinePath.shown(resolve(path)) }

  /// The line to name when something at the beginning is found wrong later on.
  public func line(of option: String) -> Int { optionLines[option] ?? line }
}

/// One stage of a pipeline.
public struct PipelineStage: Sendable, Equatable {
  /// The stage's name.
  public let name: String
  /// The line it stands on, 0 where none is known.
  public let line: Int
  /// Its options by name, defaults filled in.
  public let options: [String: OptionValue]
  /// The lines of the options that stand on other lines than this.
  public let optionLines: [String: Int]
  /// Its rules, in order.
  public let rules: [PipelineRule]

  /// The value of an option.
  public subscript(option: String) -> OptionValue? { options[option] }

  /// The line to name when an option is found wrong later on.
  public func line(of option: String) -> Int { optionLines[option] ?? line }
}

/// One rule inside a stage: `rename { ... }`.
public struct PipelineRule: Sendable, Equatable {
  /// The rule's word.
  public let name: String
  /// The line it stands on, 0 where none is known.
  public let line: Int
  /// Its options by name.
  public let options: [String: OptionValue]
  /// The lines of the options that stand on other lines than this.
  public let optionLines: [String: Int]

  /// The value of an option.
  public subscript(option: String) -> OptionValue? { options[option] }

  /// The line to name when an option is found wrong later on.
  public func line(of option: String) -> Int { optionLines[option] ?? line }

  /// The line of one item of a list of names, counted from 0.
  func line(of option: String, item: Int) -> Int {
    optionLines["\(option).\(item + 1)"] ?? line(of: option)
  }
}

/// One link of a chain of versions.
public struct PipelineStep: Sendable, Equatable {
  /// The version this step arrives at.
  public let version: String
  /// The line it stands on, 0 where none is known.
  public let line: Int
  /// The stages that lead there, in order.
  public let stages: [PipelineStage]
}

extension Pipeline {
  /// The same pipeline with other stages.
  func with(_ entries: [Entry]) -> Pipeline {
    Pipeline(
      file: file, folder: folder, name: name, format: format, models: models, accept: accept,
      target: target, stores: stores, plugins: plugins, line: line, optionLines: optionLines,
      parameters: parameters, entries: entries, scriptDigests: scriptDigests)
  }
}
