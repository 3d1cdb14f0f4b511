internal import CoreDataStore
internal import StoreMigration
internal import StoreReplacement

/// A script on some objects of a store: what it would make of them, with nothing written.
///
/// The objects, and those they lead to, are copied to a folder of their own; there they go through
/// the steps before the script's, and the script runs as it would in a run.
package struct ScriptTry: Sendable {
  /// Which objects the script is given.
  package struct Choice: Sendable {
    /// A condition over the entity's properties; nil for any object.
    package var condition: String?
    /// How many objects.
    package var limit: Int

    /// A choice.
    package init(condition: String? = nil, limit: Int = 5) {
      self.condition = condition
      self.limit = limit
    }
  }

  private let models: TrialModels
  private let script: TrialModels.Script

  /// A script between two versions.
  package init(_ script: TrialModels.Script, between models: TrialModels) {
    self.script = script
    self.models = models
  }

  /// To look at all of a smaller store takes a few milliseconds.
  private static let readsWholeBelow: Int64 = 1 << 20

  /// Tries it on a store, whose files and folder stay as they are.
  ///
  /// - Parameters:
  ///   - path: The store.
  ///   - choice: Which of its objects.
  /// - Returns: The objects with what was made from them.
  /// - Throws: ``PipelineFileError`` for mistakes in the script or its pipeline, `Failure` for the
  ///   store, a model or the condition.
  package func run(on path: String, _ choice: Choice = Choice()) throws -> TryReport {
    let pipeline = try models.pipeline(for: script)
    // What a plan counts is not shown; the objects are few, however many the store has. The author
    // of a script waits for this after each save.
    let store = try Store(
      path, ReadingBudget(.milliseconds(30)), copiesBelow: Store.copiesBelow,
      readsWholeBelow: Self.readsWholeBelow)
    let settings = PlanSettings(acceptedLosses: models.isScriptAlone ? ["*"] : [])
    let plan = try Planner(pipeline: pipeline, settings: settings).plan(store: store)
    let trial = try TrialPlan(
      plan, script, from: plan.steps.first?.from.name, isAlone: models.isScriptAlone)
    return try ScratchFolder.with { folder in try run(trial, store, choice, in: folder) }
  }

  private func run(
    _ trial: TrialPlan, _ store: Store, _ choice: Choice, in folder: String
  ) throws -> TryReport {
    let source = "\(folder)/source.sqlite"
    let external = store.files.externalDataFolder
    let chosen = try choose(for: trial, choice).make(at: source, of: store)
    var records: [ObjectRecord] = []
    let steps: TrialSteps
    do {
      steps = try TrialSteps(
        trial, source: source, given: chosen,
        .init(folder: folder, external: external, onError: .skip)
      ) { reader in records = try chosen.map { try reader.record(.source, $0) } }
    } catch let failure as ScriptFailure {
      return report(trial, [], [], failure)
    }
    defer { steps.last.close() }
    var stop: ScriptFailure?
    do {
      try steps.last.run()
    } catch let failure as ScriptFailure {
      stop = failure
    }
    let found = try steps.arrived.indices.flatMap { place in
      try objects(steps, place, records.isEmpty ? nil : records[place])
    }
    return report(trial, found, steps.last.warnings, stop)
  }

  /// The objects that the script is given, or that are to become them.
  private func choose(for trial: TrialPlan, _ choice: Choice) throws -> ChosenObjects {
    do {
      return try ChosenObjects(
        of: trial.origins, where: choice.condition, limit: choice.limit,
        in: trial.step.sourceSchema)
    } catch var failure as Failure where !trial.before.isEmpty {
      failure.remedy +=
        " The objects are chosen as the store has them, of the version "
        + "'\(trial.step.from.name)'."
      throw failure
    }
  }

  /// What happened to one of the chosen objects: as the script was given it, or as the store has it
  /// if an earlier step kept it from the script.
  private func objects(
    _ steps: TrialSteps, _ place: Int, _ record: ObjectRecord?
  ) throws -> [TryReport.Object] {
    let (step, reader) = (steps.last, try steps.reader())
    if let record, steps.arrived[place].isEmpty {
      return [
        TryReport.Object(
          source: TryReport.Record(record), made: [], failure: steps.stopped[place],
          endsBefore: step.step.from.name)
      ]
    }
    let mapping = step.step.mapping.objects(from: steps.script.entity)
    return try steps.arrived[place].map { id in
      TryReport.Object(
        source: TryReport.Record(try reader.record(.source, id)),
        made: try reader.made(from: id).map { made in
          TryReport.Record(
            try reader.record(.target, made),
            from: mapping?.target == made.entity ? mapping : nil, step.step)
        },
        failure: step.failures.first { $0.entity == id.entity && $0.key == id.key })
    }
  }

  private func report(
    _ trial: TrialPlan, _ objects: [TryReport.Object], _ warnings: [ScriptWarning],
    _ stop: ScriptFailure?
  ) -> TryReport {
    let wasMet = stop.map { stop in objects.contains { $0.failure == stop } } ?? false
    return TryReport(
      script: trial.script.path, entity: trial.script.entity, source: trial.last.from.name,
      target: trial.last.to.name, through: trial.before.map(\.from.name), objects: objects,
      warnings: warnings.filter { !$0.isPrinted }.map { ScriptMessage.text($0.message) },
      printed: warnings.filter(\.isPrinted).map { warning in
        "line \(warning.line): \(ScriptMessage.text(warning.message))"
      }, failure: wasMet ? nil : stop)
  }
}
