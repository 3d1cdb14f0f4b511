package import CoreDataStore
internal import StoreMigration

extension Plan {
  /// Finds the objects of a store that will break rules of the new version, seen through all steps.
  ///
  /// Of a chain the first step's version is looked at as well, since all the data of its objects is
  /// there; the rules of the versions between do not matter, but values that one of their steps
  /// cannot convert do.
  ///
  /// - Returns: What was found, the last version at the end; empty when nothing is to be done.
  /// - Throws: `Failure` when the store cannot be read.
  package func preflight(of store: Store, limit: Int) throws -> [VersionPreflight] {
    try steps.indices.compactMap { place in
      let isLast = place == steps.count - 1
      let isBetween = place > 0 && !isLast
      let work = Preflight(
        steps[...place].map(\.preflight), limit: limit, looksAtRules: !isBetween)
      let result = try work.run(store)
      guard !isBetween || result.errors > 0 else { return nil }
      return VersionPreflight(
        version: steps[place].to.name, steps: place + 1, isLast: isLast, result: result)
    }
  }

  /// The same for the new version before a run, which continues when nothing is found: only what no
  /// object broke before.
  ///
  /// - Parameters:
  ///   - store: The store; it is not opened when there is no rule that could be broken.
  ///   - limit: How many failures are reported one by one.
  /// - Returns: What was found; nil when nothing is to be done.
  /// - Throws: `Failure` when the store cannot be read.
  func preflightOfRun(_ store: () throws -> Store, limit: Int) throws -> PreflightResult? {
    let work = Preflight(steps.map(\.preflight), limit: limit, isBrief: true)
    // The plan was made for the store, which was checked for damage then.
    return try work.hasRules ? work.run(try store()) : nil
  }
}

extension PlannedStep {
  fileprivate var preflight: PreflightStep {
    let free = scripts.filter { !$0.outline.hooks.isEmpty }
    let claims = PreflightClaims(
      entities: Set(free.map(\.entity)), made: Set(free.flatMap(\.outline.creates)),
      links: !free.isEmpty, revised: revisedProperties,
      remark: revisions.isEmpty ? nil : sayingWhatIsRevised)
    return PreflightStep(sourceSchema, to: targetSchema, mapping, claims: claims)
  }
}
