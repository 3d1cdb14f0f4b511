package import CoreDataStore

extension Plan {
  /// Finds the objects of a store that will break rules of the version that the first step makes.
  ///
  /// Of a chain only that step is looked at: what the next ones are given is not there yet.
  ///
  /// - Returns: What was found; nil when nothing is to be done.
  /// - Throws: `StoreError` when the store cannot be read.
  package func preflight(of store: Store, limit: Int) throws -> PreflightResult? {
    try preflight(limit: limit, isBrief: false)?.run(store)
  }

  /// The same before a run, which goes on when nothing is found: only what its stage `validate`
  /// would find in the end, which is what no object broke before.
  ///
  /// Of a chain only the last version's rules count, and what becomes of the objects on the way
  /// nobody can know yet.
  ///
  /// - Parameters:
  ///   - path: The store's path; it is not opened when there is no rule that could be broken.
  ///   - limit: How many failures are told one by one.
  /// - Returns: What was found; nil when nothing is to be done.
  /// - Throws: `StoreError` when the store cannot be read.
  func preflightOfRun(_ path: String, limit: Int) throws -> PreflightResult? {
    let validates = pipeline.stages.contains { $0.stage.name == ValidateStage.description.name }
    guard validates, steps.count == 1, let work = preflight(limit: limit, isBrief: true),
      work.hasRules
    else { return nil }
    return try work.run(try Store(path, knowing: sound.map { .since($0) } ?? .nothing))
  }

  private func preflight(limit: Int, isBrief: Bool) -> Preflight? {
    guard let step = steps.first else { return nil }
    let free = step.scripts.filter { !$0.outline.hooks.isEmpty }
    let claims = PreflightClaims(
      entities: Set(free.map(\.entity)), links: !free.isEmpty, revised: step.revisedProperties,
      remark: step.revisions.isEmpty ? nil : step.sayingWhatIsRevised)
    return Preflight(
      step.sourceSchema, to: step.targetSchema, step.mapping, claims: claims, limit: limit,
      isBrief: isBrief)
  }
}
