internal import CoreDataStore
internal import StoreMigration
internal import StoreReplacement

/// A script on some objects of a store: what it would make of them, with nothing written.
///
/// The objects, and those they lead to, are copied to a folder of their own; there the script runs
/// as it would in a run.
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
    // What a plan counts is not shown; the objects are few, however many the store has.
    let store = try Store(path, isBrief: true)
    let settings = PlanSettings(acceptedLosses: models.isScriptAlone ? ["*"] : [])
    let plan = try Planner(pipeline: pipeline, settings: settings).plan(store: store)
    let trial = try TrialPlan(plan, script, isAlone: models.isScriptAlone)
    guard plan.steps.first?.from.name == trial.step.from.name else {
      throw PipelineFileError([
        Problem(
          file: pipeline.file, line: trial.script.stage.line,
          message: "the script is for stores of '\(trial.step.from.name)', and this one is of "
            + "'\(plan.source?.name ?? "")'")
      ])
    }
    return try ScratchFolder.with { folder in try run(trial, store, choice, in: folder) }
  }

  private func run(
    _ trial: TrialPlan, _ store: Store, _ choice: Choice, in folder: String
  ) throws -> TryReport {
    let source = "\(folder)/source.sqlite"
    let external = store.files.externalDataFolder
    let chosen = try ChosenObjects(
      of: trial.script.entity, where: choice.condition, limit: choice.limit,
      in: trial.step.sourceSchema
    ).make(at: source, of: store)
    let step = try TrialStep(
      trial, source: source, .init(folder: folder, external: external, onError: .skip))
    defer { step.close() }
    var stop: ScriptFailure?
    do {
      try step.run()
    } catch let failure as ScriptFailure {
      stop = failure
    }
    return try report(step, chosen, stop)
  }

  private func report(
    _ step: TrialStep, _ chosen: [ObjectID], _ stop: ScriptFailure?
  ) throws -> TryReport {
    let reader = try step.reader()
    let mapping = step.step.mapping.objects(from: step.script.entity)
    let objects = try chosen.map { id in
      let failure = step.failures.first { $0.entity == id.entity && $0.key == id.key }
      return TryReport.Object(
        source: TryReport.Record(try reader.record(.source, id)),
        made: try reader.made(from: id).map { made in
          TryReport.Record(
            try reader.record(.target, made),
            from: mapping?.target == made.entity ? mapping : nil, step.step)
        },
        failure: failure)
    }
    let wasMet = stop.map { stop in objects.contains { $0.failure == stop } } ?? false
    return TryReport(
      script: step.script.path, entity: step.script.entity, source: step.step.from.name,
      target: step.step.to.name, objects: objects,
      warnings: step.warnings.map { ScriptMessage.text($0.message) },
      failure: wasMet ? nil : stop)
  }
}
