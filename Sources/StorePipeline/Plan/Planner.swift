public import CoreDataStore

/// Makes plans of a pipeline: holds it against its models and, when there is one, a store.
public struct Planner: Sendable {
  /// The pipeline.
  public let pipeline: Pipeline
  /// The models it names.
  public let library: ModelLibrary
  /// What is given from outside.
  public let settings: PlanSettings

  /// A planner for a pipeline.
  ///
  /// - Parameters:
  ///   - pipeline: The pipeline.
  ///   - library: The models; without them, those that the pipeline names are opened.
  ///   - settings: What is given from outside.
  /// - Throws: ``ModelError`` or ``StoreError`` when a model cannot be used.
  public init(
    pipeline: Pipeline, library: ModelLibrary? = nil, settings: PlanSettings = PlanSettings()
  ) throws {
    self.pipeline = pipeline
    self.library = try library ?? ModelLibrary(of: pipeline)
    self.settings = settings
  }

  /// Makes a plan.
  ///
  /// - Parameters:
  ///   - store: The store; without one, the plan has the steps of every version that is accepted.
  ///   - version: The store's version, where something else than its hashes has told it.
  /// - Returns: The plan, problems included.
  /// - Throws: ``PipelineFileError`` when the file names versions that are not there,
  ///   ``StoreError`` when the store cannot be taken, ``ModelError`` when a model cannot be used.
  public func plan(store: Store? = nil, version: String? = nil) throws -> Plan {
    throw PipelineFileError([])
  }
}
