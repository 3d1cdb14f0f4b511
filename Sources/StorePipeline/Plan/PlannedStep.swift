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
  /// The source entities whose objects scripts are given.
  let claimed: Set<String>
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
    claimed = Set(scripts.filter(\.outline.needsLua).map(\.entity))
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

extension PlannedStep {
  /// What is said of a text that all objects get, where it is the name of an attribute that is not
  /// carried over: its values were most likely meant.
  func namesAsTexts(file: String) -> [Problem] {
    let maps = declarations.instructions.maps.flatMap { map in
      mapping.objects(into: map.entity).filter { [nil, $0.source].contains(map.source) }
        .flatMap { object in
          map.attributes.compactMap { name, value -> Problem? in
            guard case .constant(.string(let text)) = value else { return nil }
            return nameAsText(text, object, name, file: file, line: map.line)
          }
        }
    }
    let lines = scripts.flatMap { script in
      script.outline.attributes.compactMap { name, value -> Problem? in
        guard case .constant(.text(let text)) = value,
          let object = mapping.objects(from: script.entity)
        else { return nil }
        let outline = script.outline
        let line = outline.lines["attributes.\(name)"]
        return nameAsText(text, object, name, file: outline.path, line: line)
      }
    }
    return (maps + lines).sorted { ($0.line, $0.message) < ($1.line, $1.message) }
  }

  private func nameAsText(
    _ text: String, _ object: ObjectMapping, _ name: String, file: String, line: Int?
  ) -> Problem? {
    func has(_ model: Model, _ entity: String) -> Bool {
      model.entity(named: entity).map { model.allAttributes(of: $0) }?.contains {
        $0.name == text
      } == true
    }
    guard has(from, object.source), name == text || !has(to, object.target) else { return nil }
    return Problem(
      file: file, line: line ?? 0,
      message: "\(object.target).\(name) gets the text \(LuaText.quoted(text)) in all objects; "
        + "for the values of \(object.source).\(text) write \(name) = "
        + "from(\(LuaText.quoted(text)))")
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
