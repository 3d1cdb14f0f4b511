public import CoreDataStore
internal import Foundation
package import StoreMigration

/// One hop from a version to the next: the mapping, and who carries it out.
public struct PlannedStep: Sendable {
  /// The version it starts at.
  public let from: Model
  /// The version it arrives at.
  public let to: Model
  /// Which entity and property becomes which.
  package let mapping: Mapping
  /// The stages that belong to the step, in order: those that may stand in one.
  public let stages: [PipelineStage]
  /// The scripts, in the order of their stages.
  public let scripts: [PlannedScript]
  /// The schema of the source's store; with a store, under the names that it has.
  package let sourceSchema: StoreSchema
  /// The schema of the target's store.
  package let targetSchema: StoreSchema
  /// How objects travel, entity by entity.
  public let entities: [PlannedEntity]
  /// How the target's store begins.
  public let start: PlannedStart
  /// The stages that change objects when they are there, in order.
  public let revisions: [PlannedRevision]
  let declarations: StageDeclarations
  /// The entities of the store whose table has rows with another Z_ENT, which are theirs since the
  /// table has no other entity.
  package var numbered: Set<String> = []

  /// A step in all its parts.
  package init(
    from: Model, to: Model, mapping: Mapping, stages: [PipelineStage], scripts: [PlannedScript],
    sourceSchema: StoreSchema, targetSchema: StoreSchema, entities: [PlannedEntity],
    start: PlannedStart, revisions: [PlannedRevision] = [],
    declarations: StageDeclarations
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
    self.declarations = declarations
  }
}

extension PlannedStep {
  /// The way of each source entity's objects.
  package var ways: [String: CopyWay] {
    Dictionary(
      entities.compactMap { entity in
        entity.source.flatMap { source in
          entity.way.map { (source, $0) }
        }
      }
    ) { first, _ in first }
  }
}

extension Plan {
  /// The time with which a run marks the history; nil where no step changes the model.
  var markOfHistory: Double? {
    steps.contains { !$0.from.isSame(as: $0.to) } ? Date().timeIntervalSinceReferenceDate : nil
  }

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
  /// What the stage that names it says of it.
  let transform: StageDeclarations.Transform
  /// The Lua file, from the pipeline file's folder on.
  public let path: String
  /// What it is going to do.
  package let outline: ScriptOutline

  /// The stage that names it.
  public var stage: PipelineStage { transform.stage }
  /// The source entity whose objects it is given.
  public var entity: String { transform.entity }

  init(_ transform: StageDeclarations.Transform, path: String, outline: ScriptOutline) {
    (self.transform, self.path, self.outline) = (transform, path, outline)
  }
}

extension PlannedScript {
  /// What scripts may give a value, of what the mapping leaves without one.
  struct Gifts {
    /// What the scripts of an entity mention that make its objects.
    private var made: [String: Set<String>] = [:]
    /// What those mention that are given objects afterwards, of whatever entity.
    private var later: Set<String> = []
    private var isAnything = false

    init(_ scripts: [PlannedScript]) {
      for script in scripts {
        let outline = script.outline
        if outline.makesObjects { made[script.entity, default: []].formUnion(outline.gives) }
        guard !outline.hooks.isDisjoint(with: [.created, .relate, .related, .finish]) else {
          continue
        }
        later.formUnion(outline.gives)
        isAnything = isAnything || outline.computesNames
      }
    }

    /// Whether an attribute of what an entity's objects become may be among it.
    func has(_ name: String, from source: String) -> Bool {
      isAnything || later.contains(name) || made[source]?.contains(name) == true
    }
  }
}
