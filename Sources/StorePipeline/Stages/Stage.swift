/// One step of work that a pipeline file can ask for.
///
/// A stage is one file: its description and what it does.
public protocol Stage: Sendable {
  /// What it is called, what it takes, where it may stand.
  static var description: StageDescription { get }

  /// Does its work.
  ///
  /// A run that was killed goes on by running its stages again from the first one; those that ship
  /// find what they did and do the rest.
  ///
  /// - Parameters:
  ///   - stage: The stage as the pipeline file has it, with its options.
  ///   - context: What the run is about, and how to speak of it.
  /// - Throws: Whatever keeps it from its work; the run ends then, and the old store is in place.
  static func run(_ stage: PipelineStage, _ context: RunContext) async throws
}
