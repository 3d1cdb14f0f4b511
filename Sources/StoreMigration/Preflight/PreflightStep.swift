package import CoreDataStore

/// One step of a migration, as a preflight sees it.
package struct PreflightStep: Sendable {
  /// Its source's schema.
  let source: StoreSchema
  /// Its result's schema.
  let target: StoreSchema
  /// Which entity and property becomes which.
  let mapping: Mapping
  /// What scripts take upon themselves in addition to the attributes that the mapping knows of.
  let claims: PreflightClaims
  let pair: MappedSource
  /// What nothing but the mapping makes objects of, by the table of the target that they go into.
  let objects: [String: [ObjectMapping]]
  /// All that go into a table of the target.
  let sharers: [String: [ObjectMapping]]

  /// A step in all its parts.
  package init(
    _ source: StoreSchema, to target: StoreSchema, _ mapping: Mapping,
    claims: PreflightClaims = PreflightClaims()
  ) {
    (self.source, self.target, self.mapping) = (source, target, mapping)
    self.claims = claims
    pair = MappedSource(sourceSchema: source, targetSchema: target, mapping: mapping)
    sharers = Dictionary(grouping: mapping.objects.filter { !$0.isAbstract }) {
      target.entity(named: $0.target)?.table ?? ""
    }
    objects = sharers.mapValues { $0.filter { claims.leavesAlone($0, mapping) } }
  }

  /// The same as its objects are before its stages.
  var withoutStages: PreflightStep {
    PreflightStep(
      source, to: target, mapping,
      claims: PreflightClaims(entities: claims.entities, links: claims.links))
  }

  /// What the step makes of an object, where nothing but its mapping has a hand in it.
  func object(from entity: String) -> ObjectMapping? {
    mapping.objects(from: entity).flatMap { claims.leavesAlone($0, mapping) ? $0 : nil }
  }
}

extension [PreflightStep] {
  /// The ways from the entities of the first source to those of the last target that no script has
  /// a hand in.
  var paths: [ObjectPath] {
    guard let first else { return [] }
    return first.mapping.objects.filter { first.claims.leavesAlone($0, first.mapping) }
      .compactMap(path)
  }

  /// The way on from what the first step makes of an entity's objects.
  private func path(from object: ObjectMapping) -> ObjectPath? {
    var objects = [object]
    for step in dropFirst() {
      guard let last = objects.last, let object = step.object(from: last.target) else { return nil }
      objects.append(object)
    }
    return ObjectPath(steps: objects)
  }
}
