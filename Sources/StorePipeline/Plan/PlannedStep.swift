public import CoreDataStore
public import StoreMigration

/// One hop from a version to the next: the mapping, and who carries it out.
public struct PlannedStep: Sendable {
  /// The version it starts at.
  public let from: Model
  /// The version it arrives at.
  public let to: Model
  /// What becomes of what.
  public let mapping: Mapping
  /// The stages that belong to the step, in order: those that may stand in one.
  public let stages: [PipelineStage]
  /// The scripts, in the order of their stages.
  public let scripts: [PlannedScript]
  /// What the source's store is made of; with a store, under the names that it has.
  public let sourceSchema: StoreSchema
  /// What the target's store will be made of.
  public let targetSchema: StoreSchema
  /// How objects travel, entity by entity.
  public let entities: [PlannedEntity]
  /// How the target's store begins.
  public let start: PlannedStart
  /// The stages that change objects when they are there, in order.
  public let revisions: [PlannedRevision]
  /// The entities of the store whose table has rows with another Z_ENT, which are theirs since the
  /// table has no other entity.
  package var numbered: Set<String> = []

  /// A step in all its parts.
  package init(
    from: Model, to: Model, mapping: Mapping, stages: [PipelineStage], scripts: [PlannedScript],
    sourceSchema: StoreSchema, targetSchema: StoreSchema, entities: [PlannedEntity],
    start: PlannedStart, revisions: [PlannedRevision] = []
  ) {
    self.from = from
    self.to = to
    self.mapping = mapping
    self.stages = stages
    self.scripts = scripts
    self.sourceSchema = sourceSchema
    self.targetSchema = targetSchema
    self.entities = entities
    self.start = start
    self.revisions = revisions
  }
}

extension Plan {
  /// Gives rows of a copy of the store the number of the entity that they belong to all the same.
  ///
  /// - Returns: Whether there are any.
  @discardableResult
  func numberRows(of copy: String) throws -> Bool {
    guard let first = steps.first else { return false }
    return try OwnNumbers.give(to: first.numbered, in: copy, first.sourceSchema)
  }
}

/// A script of a step, and what it takes upon itself.
public struct PlannedScript: Sendable {
  /// The stage that names it.
  public let stage: PipelineStage
  /// The source entity whose objects it is given.
  public let entity: String
  /// The Lua file, from the pipeline file's folder on.
  public let path: String
  /// What it is going to do.
  public let outline: ScriptOutline

  /// A script with what is known of it.
  package init(stage: PipelineStage, entity: String, path: String, outline: ScriptOutline) {
    self.stage = stage
    self.entity = entity
    self.path = path
    self.outline = outline
  }
}
