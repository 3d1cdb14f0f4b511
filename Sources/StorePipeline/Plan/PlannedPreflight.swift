package import CoreDataStore
internal import StoreMigration

extension Plan {
  /// Finds the objects of a store that will break rules of the new version, seen through all steps.
  ///
  /// Of a chain the first step's version is looked at as well, since all the data of its objects is
  /// there; the rules of the versions between do not matter.
  ///
  /// - Returns: What was found, the last version at the end; empty when nothing is to be done.
  /// - Throws: `Failure` when the store cannot be read.
  package func preflight(of store: Store, limit: Int) throws -> [VersionPreflight] {
    let counts = steps.count > 1 ? [1, steps.count] : steps.isEmpty ? [] : [1]
    return try counts.map { count in
      VersionPreflight(
        version: steps[count - 1].to.name, steps: count, isLast: count == steps.count,
        result: try preflight(count, limit: limit, isBrief: false).run(store))
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
    let work = preflight(steps.count, limit: limit, isBrief: true)
    // The plan was made for the store, which was checked for damage then.
    return try work.hasRules ? work.run(try store()) : nil
  }

  private func preflight(_ count: Int, limit: Int, isBrief: Bool) -> Preflight {
    Preflight(steps.prefix(count).map(\.preflight), limit: limit, isBrief: isBrief)
  }
}

extension PlannedStep {
  fileprivate var preflight: PreflightStep {
    let free = scripts.filter { !$0.outline.hooks.isEmpty }
    let claims = PreflightClaims(
      entities: Set(free.map(\.entity)), links: !free.isEmpty, revised: revisedProperties,
      remark: revisions.isEmpty ? nil : sayingWhatIsRevised)
    return PreflightStep(sourceSchema, to: targetSchema, mapping, claims: claims)
  }
}
