package import CoreDataStore

extension Plan {
  /// Finds the objects of a store that will break rules of the version that the first step makes.
  ///
  /// Of a chain only that step is looked at: what the next ones are given is not there yet.
  ///
  /// - Returns: What was found; nil when nothing is to be done.
  /// - Throws: `StoreError` when the store cannot be read.
  package func preflight(of store: Store, limit: Int) throws -> PreflightResult? {
    guard let step = steps.first else { return nil }
    let free = step.scripts.filter { !$0.outline.hooks.isEmpty }
    let claims = PreflightClaims(entities: Set(free.map(\.entity)), links: !free.isEmpty)
    return try Preflight(
      of: store, step.sourceSchema, to: step.targetSchema, step.mapping, claims: claims,
      limit: limit
    ).run()
  }
}
