internal import SQLite

/// Finds the objects of a store that will break rules of the next version, before anything is
/// written.
///
/// The store is seen through the mapping, in views that live and die with its connection, and the
/// rules that hold for a finished store are held against what is seen. What a script makes, and
/// what a conversion makes of values, nobody can know yet: that is left out.
package struct Preflight {
  private let source: StoreSchema
  private let target: StoreSchema
  private let mapping: Mapping
  private let claims: PreflightClaims
  private let limit: Int
  private let isBrief: Bool

  /// A preflight of one step.
  ///
  /// - Parameters:
  ///   - source: What it is made of.
  ///   - target: What the next one will be made of.
  ///   - mapping: What becomes of what.
  ///   - claims: What scripts and stages take upon themselves beside the attributes that the
  ///     mapping knows of.
  ///   - limit: How many failures are told one by one; all are counted.
  ///   - isBrief: Whether rules are left out that no object can break which did not break them
  ///     before.
  package init(
    _ source: StoreSchema, to target: StoreSchema, _ mapping: Mapping,
    claims: PreflightClaims = PreflightClaims(), limit: Int = 100, isBrief: Bool = false
  ) {
    (self.source, self.target, self.mapping) = (source, target, mapping)
    (self.claims, self.limit, self.isBrief) = (claims, limit, isBrief)
  }

  /// Whether there is a rule that any object might newly break; without one no store need be read.
  package var hasRules: Bool { objects.contains { !checks($0.object, $0.layout).checks.isEmpty } }

  /// Looks at every object of a store.
  ///
  /// - Throws: ``StoreError`` when the store cannot be read.
  package func run(_ store: Store) throws -> PreflightResult {
    try store.reading("cannot check the objects", limit: .seconds(3600)) {
      let views = PreflightViews(source, target, mapping, claims)
      try views.make(store.connection)
      defer { views.remove(store.connection) }
      return try store.connection.transaction(.deferred) { try check(store.connection) }
    }
  }

  private var links: PreflightLinks { PreflightLinks(source, target, mapping, claims) }

  private var sources: SourceChecks {
    SourceChecks([mapping], from: source, to: target, database: "main")
  }

  private var objects: [(object: ObjectMapping, layout: EntityLayout)] {
    mapping.objects.filter { claims.leavesAlone($0, mapping) }.compactMap { object in
      target.entity(named: object.target).map { (object, $0) }
    }
  }

  /// The rules that the objects of a mapping are held against, and those that cannot be checked.
  private func checks(
    _ object: ObjectMapping, _ layout: EntityLayout
  ) -> (checks: [RowCheck], unchecked: [String]) {
    let rules = RowChecks(
      of: layout, in: target, database: PreflightViews.database, alias: ConditionSQL.alias)
    let checks = PreflightChecks(object, links, layout, target.model).those(of: rules.all)
      .filter { claims.leavesAlone($0, of: layout) }
    return (isBrief ? checks.filter { canBeNew($0, object, layout) } : checks, rules.unchecked)
  }

  /// Whether an object can break a rule that it did not break in the source: the source has no such
  /// rule, or others come in beside the object, or links to what is left out go.
  private func canBeNew(
    _ check: RowCheck, _ object: ObjectMapping, _ layout: EntityLayout
  ) -> Bool {
    if sources.isInSource(check, of: layout) == "0" { return true }
    if case .unique = check.rule {
      let table = layout.table
      return mapping.objects.contains { other in
        other != object && !other.isAbstract && target.entity(named: other.target)?.table == table
      }
    }
    guard check.isRelationship, case .lossy = links.sight(of: check.property) else { return false }
    return true
  }

  private func check(_ connection: Connection) throws -> PreflightResult {
    var failures = FailureList(limit: limit, isStrict: false)
    var unchecked: [String] = []
    var remedies: [PreflightResult.Place: [String]] = [:]
    for (object, layout) in objects {
      let (checks, left) = checks(object, layout)
      unchecked += left
      for check in checks {
        let place = PreflightResult.Place(
          entity: object.source, property: check.propertyNames, rule: check.rule.description)
        let link = check.isRelationship ? links.origin(of: check.property) : nil
        remedies[place] = PreflightRemedy(object, check, link: link).lines
      }
      let validation = EntityValidation(
        connection, layout, sources, values: false,
        rows: PreflightViews.rows(of: object, source, layout))
      try validation.run(checks, &failures)
    }
    return PreflightResult(
      failures.result(unchecked: unchecked, expectations: []), remedies,
      left: claims.remarks(mapping))
  }
}
