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
  private(set) var claims: PreflightClaims
  let pair: MappedSource
  /// What nothing but the mapping makes objects of, by the table of the target that they go into.
  let objects: [String: [ObjectMapping]]
  /// All that go into a table of the target.
  let sharers: [String: [ObjectMapping]]
  /// The columns of each table of the target, by the entities that have them.
  let columns: [String: OwnColumns]

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
    let columns = target.tables.map { ($0.name, OwnColumns($0, target)) }
    self.columns = Dictionary(columns) { first, _ in first }
  }

  /// The same as its objects are before its stages.
  var withoutStages: PreflightStep {
    var step = self
    step.claims = PreflightClaims(entities: claims.entities, links: claims.links)
    return step
  }
}

extension [PreflightStep] {
  /// The ways from the entities of the first source to those of the last target that no script has
  /// a hand in.
  var paths: [ObjectPath] { paths { $0.claims.leavesAlone($1, $0.mapping) } }

  /// The others whose values the last step converts all the same, before a script has a hand in it.
  var convertedPaths: [ObjectPath] {
    let known = Set(paths.map(\.source))
    return paths { step, object in
      !object.isAbstract && step.mapping.fate(of: object.source) != .scripted
    }.filter { !known.contains($0.source) }
  }

  /// The ways that end with an object of this kind, and are the mapping's own until then.
  private func paths(_ isEnd: (PreflightStep, ObjectMapping) -> Bool) -> [ObjectPath] {
    guard let first, let last else { return [] }
    return first.mapping.objects.compactMap { object in
      var objects: [ObjectMapping] = []
      var next: ObjectMapping? = object
      for (place, step) in enumerated() {
        if place > 0 { next = objects.last.flatMap { step.mapping.objects(from: $0.target) } }
        guard let object = next else { return nil }
        let isIn =
          place < count - 1 ? step.claims.leavesAlone(object, step.mapping) : isEnd(last, object)
        guard isIn else { return nil }
        objects.append(object)
      }
      return ObjectPath(steps: objects)
    }
  }
}
