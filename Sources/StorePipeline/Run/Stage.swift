internal import CoreDataStore

/// A stage with its options, as a run carries it out: written in Swift, in Lua, or whatever else.
public protocol RunnableStage: DeclaringStage {
  /// Does its work.
  ///
  /// A run that was killed is resumed by running its stages again from the first one; those that
  /// ship find what they did and do the rest.
  ///
  /// - Parameter context: What the run is about, and how to report from it.
  /// - Throws: Whatever keeps it from its work; the run ends then, and the old store is in place.
  func run(_ context: RunContext) async throws
}

/// A stage written in Swift: a struct whose properties are its options, with their defaults.
///
/// A stage is one file: its description, its options and what it does.
public protocol Stage: RunnableStage {
  /// What it is called, what it does, where it may stand.
  static var description: StageDescription { get }
  static var options: [StageOption<Self>] { get }
  /// The words that may stand in its list.
  static var rules: [StageRule<Self>] { get }

  /// The stage with all its defaults.
  init()
}

extension Stage {
  /// It has no options.
  public static var options: [StageOption<Self>] { [] }
  /// Its list is empty.
  public static var rules: [StageRule<Self>] { [] }

  /// The stage as a pipeline file may name it.
  static var kind: StageKind {
    StageKind(
      description.name,
      describe: {
        description.with(
          options: StageOption.descriptions(options, of: Self()), rules: rules.map(\.description))
      }
    ) { written in
      var stage = StageOption.filled(Self(), options, with: written.options)
      for rule in written.rules {
        rules.first { $0.description.name == rule.name }?.store(&stage, rule)
      }
      return StageToRun(stage: stage)
    }
  }
}

extension StageRegistry {
  /// A list of stages; of several with one name the last counts.
  public init(_ stages: [any Stage.Type]) { self.init(kinds: stages.map { $0.kind }) }

  /// The same list with one more stage, which takes the place of one with its name.
  public func with(_ stage: any Stage.Type) -> StageRegistry { with([stage.kind]) }
}

/// A stage that a run can carry out, in a box of one type.
///
/// Swift finds out at once whether a value has this type. To learn whether it has a type that can
/// run, it would search all conformances of the program, for each kind of stage.
struct StageToRun: DeclaringStage {
  let stage: any RunnableStage

  func declare(_ written: PipelineStage, in declarations: inout StageDeclarations) {
    stage.declare(written, in: &declarations)
  }
}

extension StageKind {
  /// A stage with the options of a pipeline file.
  func runnable(_ written: PipelineStage) throws(Failure) -> any RunnableStage {
    guard let stage = (stage(written) as? StageToRun)?.stage else {
      throw Failure(
        .misuse, what: "cannot run the stage", subject: written.name,
        why: "Nothing says what it does.", remedy: "Give the run a registry of stages.")
    }
    return stage
  }
}
