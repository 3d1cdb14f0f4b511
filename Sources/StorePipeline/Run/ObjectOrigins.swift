internal import CoreDataStore
internal import StoreMigration
internal import StoreReplacement

/// Which objects of the source some objects of a new store came from, and which scripts made them.
struct ObjectOrigins {
  struct Origin {
    /// The object of the source, or of the store of the step that was looked at last.
    fileprivate(set) var object: ObjectID
    /// Where a script made it, as file:line; nil where none did.
    fileprivate(set) var script: String?
    fileprivate var isNoted = false
  }

  let plan: Plan
  let folder: WorkFolder

  /// The origins of objects of the new store; of those that are missing the key says it, or a stage
  /// has added them.
  func of(_ objects: Set<ObjectID>) throws -> [ObjectID: Origin] {
    var found: [ObjectID: Origin] = [:]
    for object in objects { found[object] = Origin(object: object) }
    for (number, step) in plan.steps.enumerated().reversed() {
      let noted = try KeptAssociations.sources(
        of: Set(found.values.map(\.object)), in: folder.associations(ofStep: number),
        from: step.sourceSchema, to: step.targetSchema)
      found = found.compactMapValues { step.origin(of: $0, noted) }
    }
    return found.filter { $0.value.isNoted }
  }
}

extension PlannedStep {
  /// An origin one step further back; nil where that is not known.
  fileprivate func origin(
    of later: ObjectOrigins.Origin, _ noted: [ObjectID: ObjectID]
  ) -> ObjectOrigins.Origin? {
    var origin = later
    if let object = noted[later.object] {
      origin.script = later.script ?? maker(of: later.object.entity, from: object.entity)
      (origin.object, origin.isNoted) = (object, true)
      return origin
    }
    let mappings = mapping.objects(into: later.object.entity).filter { !$0.isAbstract }
    guard let only = mappings.first, mappings.count == 1, only.keys == .kept else { return nil }
    origin.object.entity = only.source
    return origin
  }

  /// Where a script makes objects of an entity from those of one of the source, as file:line: the
  /// one place that makes them, or the function.
  private func maker(of entity: String, from source: String) -> String? {
    let script = scripts.first { $0.entity == source && $0.outline.makesObjects }
    guard let outline = script?.outline else { return nil }
    let mapped = mapping.objects(from: source)?.target
    let places = outline.constructions.filter {
      $0.entity == entity || $0.entity.isEmpty && mapped == entity
    }
    if let place = places.first, places.count == 1 { return "\(place.file):\(place.line)" }
    let line = outline.lines[ScriptHook.create.rawValue]
    return line.map { "\(outline.path):\($0)" } ?? outline.path
  }
}
