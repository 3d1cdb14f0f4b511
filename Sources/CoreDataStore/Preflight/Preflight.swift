internal import SQLite

/// Finds the objects of a store that will break rules of the next version, before anything is
/// written.
///
/// The store is seen through the mapping, in views that live and die with its connection, and the
/// rules that hold for a finished store are held against what is seen. What a script makes, and
/// what a conversion makes of values, nobody can know yet: that is left out.
package struct Preflight {
  private let store: Store
  private let source: StoreSchema
  private let target: StoreSchema
  private let mapping: Mapping
  private let claims: PreflightClaims
  private let limit: Int

  /// A preflight of one step.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - source: What it is made of.
  ///   - target: What the next one will be made of.
  ///   - mapping: What becomes of what.
  ///   - claims: What scripts take upon themselves beside the attributes that the mapping knows of.
  ///   - limit: How many failures are told one by one; all are counted.
  package init(
    of store: Store, _ source: StoreSchema, to target: StoreSchema, _ mapping: Mapping,
    claims: PreflightClaims = PreflightClaims(), limit: Int = 100
  ) {
    (self.store, self.source, self.target, self.mapping) = (store, source, target, mapping)
    (self.claims, self.limit) = (claims, limit)
  }

  /// Looks at every object.
  ///
  /// - Throws: ``StoreError`` when the store cannot be read.
  package func run() throws -> PreflightResult {
    try store.reading("cannot check the objects", limit: .seconds(3600)) {
      let views = PreflightViews(source, target, mapping, claims)
      try views.make(store.connection)
      defer { views.remove(store.connection) }
      return try store.connection.transaction(.deferred) { try check() }
    }
  }

  private func check() throws -> PreflightResult {
    var failures = FailureList(limit: limit, isStrict: false)
    var unchecked: [String] = []
    var remedies: [PreflightResult.Place: [String]] = [:]
    let links = PreflightLinks(source, target, mapping, claims)
    let sources = SourceChecks([mapping], from: source, to: target, database: "main")
    for object in mapping.objects where claims.leavesAlone(object, mapping) {
      guard let layout = target.entity(named: object.target) else { continue }
      let rules = RowChecks(
        of: layout, in: target, database: PreflightViews.database, alias: ConditionSQL.alias)
      let checks = PreflightChecks(object, links, layout, target.model).those(of: rules.all)
      unchecked += rules.unchecked
      for check in checks {
        let place = PreflightResult.Place(
          entity: object.source, property: check.propertyNames, rule: check.rule.description)
        let link = check.isRelationship ? links.origin(of: check.property) : nil
        remedies[place] = PreflightRemedy(object, check, link: link).lines
      }
      let validation = EntityValidation(
        store.connection, layout, sources, values: false,
        rows: PreflightViews.rows(of: object, source, layout))
      try validation.run(checks, &failures)
    }
    return PreflightResult(
      failures.result(unchecked: unchecked, expectations: []), remedies,
      left: claims.remarks(mapping))
  }
}
