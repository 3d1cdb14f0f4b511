internal import CoreDataStore
internal import StoreMigration
internal import StoreReplacement

// The new store, before it goes where it belongs: checked, counted, compared with the old one.
extension RunSession {
  /// Ends the run because the new store is not as the model or the file wants it.
  func refuse(_ result: ValidationResult) throws {
    tally.refuse(result, origins(of: result))
    try countObjects()
    try endInvalid()
  }

  /// What the objects that break rules came from; the rules count without it, too.
  private func origins(of result: ValidationResult) -> [ObjectID: ObjectOrigins.Origin] {
    origins(
      of: result.failures.filter { !$0.inSource && $0.key != 0 }
        .map { ObjectID(entity: $0.entity, key: $0.key) })
  }

  private func origins(of objects: [ObjectID]) -> [ObjectID: ObjectOrigins.Origin] {
    do {
      return try ObjectOrigins(plan: plan, folder: folder).of(Set(objects))
    } catch {
      log.warn(error)
      return [:]
    }
  }

  /// What objects of the new store came from, where their keys do not say it.
  private func makers(of objects: [ObjectID]) -> String {
    let origins = origins(of: objects)
    return objects.compactMap { object in
      guard let origin = origins[object] else { return nil }
      let script = origin.script.map { " by \($0)" } ?? ""
      return "\(object.entity) \(object.key) was made from \(origin.object.entity) "
        + "\(origin.object.key)\(script)."
    }.joined(separator: " ")
  }

  func endInvalid() throws {
    try compare()
    readers.close()
    try opened().end()
    throw RunEnd(outcome: .invalid)
  }

  /// Refuses a new store in which objects share values that must be unique, and counts its objects.
  ///
  /// Where the pipeline validates, that has named them all, or that the old store is no better.
  func checkNewStore() throws {
    if options.dryRun != nil, newStore == nil { return }
    let (path, schema) = try finishedStore()
    let isValidated = plan.declarations.validates
    let refusal = try UniqueValues.refusal(of: path, schema, readers) { objects in
      isValidated ? "" : makers(of: objects)
    }
    if let refusal {
      guard isValidated else { throw refusal }
      log.warn("\(refusal.subject): left without its index, because objects share values")
    }
    try checkNeeds()
    try countObjects()
  }

  func countObjects() throws {
    let (path, schema) = try finishedStore()
    try tally.count(path, schema, readers, since: place?.stagedWalk)
    tally.addFiles(in: folder.nextExternals)
  }

  /// Compares what was read with what was made, when that was asked for and both are there.
  ///
  /// It has to be done before the swap; a run does not fail for want of it, unless it is for that.
  func compare() throws {
    guard tally.found == nil, !isSwapped, let newStore, wantsDifference else { return }
    readers.close()
    let examination = RunDiff(
      plan: plan, folder: folder, options: options, store: basis.store, walk: walk)
    log.start(stage: RunLog.compare)
    do {
      tally.found = try examination.result(newStore, log)
    } catch  where options.dryRun == nil && !(error is CancellationError) {
      log.warn("the differences could not be reported: \(error)")
    }
    log.finish(stage: RunLog.compare)
  }

  var wantsDifference: Bool {
    options.dryRun != nil || options.report != nil || plan.declarations.reports
  }

  /// Compares the new store with the rules of its model, and with the source of the run, through
  /// all steps.
  func validate(
    _ choices: Validation.Choices,
    progress: (_ entity: String, _ done: Int, _ total: Int) throws -> Void = { _, _, _ in }
  ) throws -> ValidationResult {
    let (path, schema) = try finishedStore()
    let source = plan.steps.first.map { first in
      Validation.Source(
        path: folder.sourcePath, schema: first.sourceSchema, mappings: plan.steps.map(\.mapping),
        revised: plan.revisedEntities, walk: walk)
    }
    return try Validation(
      store: path, schema: schema, source: source, choices: choices, opened: readers
    ).run(progress: progress)
  }

  /// Refuses a new store in which a script has left out a value or link that must be there, where
  /// no stage validates: Core Data would not save such an object.
  private func checkNeeds() throws {
    guard !plan.declarations.validates, plan.steps.contains(where: \.isChangedByCode) else {
      return
    }
    var choices = Validation.Choices(
      limit: options.failureLimit, showsValues: options.showsValues)
    choices.looksAtNeedsAlone = true
    let result = try validate(choices) { _, _, _ in try Task.checkCancellation() }
    result.warningTexts.forEach(log.warn)
    if !result.isPassed { try refuse(result) }
  }
}

extension PlannedStep {
  /// Whether scripts or stages in Lua have a hand in its objects.
  var isChangedByCode: Bool {
    !revisions.isEmpty || scripts.contains(where: \.outline.needsLua)
  }
}
