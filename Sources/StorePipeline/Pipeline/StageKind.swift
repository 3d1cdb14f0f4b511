internal import Synchronization

/// What the planner asks of a stage: what it says beforehand of more than its own turn.
public protocol DeclaringStage: Sendable {
  /// Declares what the plan, or the run as a whole, has to know of the stage before any works.
  ///
  /// - Parameters:
  ///   - written: The stage as the pipeline file has it, with the lines of its options.
  ///   - declarations: What the stages above it have declared.
  func declare(_ written: PipelineStage, in declarations: inout StageDeclarations)
}

extension DeclaringStage {
  /// Most stages concern nothing but their own turn.
  public func declare(_ written: PipelineStage, in declarations: inout StageDeclarations) {}
}

/// One kind of stage that a pipeline file may name: what is known of it, and how one is made.
public struct StageKind: Sendable {
  /// The word that calls it in a pipeline file.
  let name: String
  private let described: Described
  /// The file, where the stage is written in Lua.
  let file: LuaStage?
  /// Makes a stage of this kind with the options of a pipeline file.
  let stage: @Sendable (PipelineStage) -> any DeclaringStage

  /// A kind of stage; what it makes has to be one that a run can carry out.
  init(
    _ name: String, file: LuaStage? = nil, describe: @escaping @Sendable () -> StageDescription,
    stage: @escaping @Sendable (PipelineStage) -> any DeclaringStage
  ) {
    (self.name, self.file, self.stage) = (name, file, stage)
    described = Described(make: describe)
  }

  /// What is known of it before it runs.
  public var description: StageDescription { described.value }

  /// A description that is made when it is asked for: its options take long, and a run needs those
  /// of its own stages alone.
  private final class Described: Sendable {
    private let made = Mutex<StageDescription?>(nil)
    private let make: @Sendable () -> StageDescription

    init(make: @escaping @Sendable () -> StageDescription) { self.make = make }

    var value: StageDescription {
      made.withLock { made in
        let value = made ?? make()
        made = value
        return value
      }
    }
  }
}

/// A word that may stand in a stage's list, and the property that takes what is written there.
public struct StageRule<Owner: Sendable>: Sendable {
  /// A property that a rule adds to.
  public typealias Property<Value> = any WritableKeyPath<Owner, Value> & Sendable

  let description: RuleDescription
  let store: @Sendable (inout Owner, PipelineRule) -> Void

  /// A rule.
  ///
  /// - Parameters:
  ///   - name: The word.
  ///   - property: The property that takes one value for each time the word is written.
  ///   - summary: What it says, in one sentence.
  /// - Returns: The rule.
  public static func rule<Record: OptionRecord>(
    _ name: String, _ property: Property<[WrittenRule<Record>]>, _ summary: String
  ) -> Self {
    Self(
      description: RuleDescription(name: name, summary: summary, options: Record.descriptions)
    ) { owner, rule in
      let options = StageOption.filled(Record(), Record.options, with: rule.options)
      owner[keyPath: property].append(WrittenRule(options: options, written: rule))
    }
  }
}

/// One use of a rule: its options, and where the file has them.
public struct WrittenRule<Options: OptionRecord>: Sendable {
  /// The options.
  public let options: Options
  /// The rule as the pipeline file has it, with the lines of its options.
  public let written: PipelineRule
}
