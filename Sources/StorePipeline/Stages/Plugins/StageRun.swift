import CoreDataStore
import Foundation
import Lua
internal import StoreMigration

/// A stage in Lua at work on the objects of a store that is being built.
///
/// A run that was killed resumes behind the last chunk when the stage says how, by `resume`;
/// otherwise it begins the stage again, over what was done.
final class StageRun {
  private let file: LuaStage
  private let stage: PipelineStage
  private let builder: StoreBuilder
  private let objects: RevisedObjects
  private let facts: StepBuilder.ScriptFacts
  private let keepsHistory: Bool
  private let log: RunLog
  private let isRetry: Bool
  private var host: ScriptHost?

  /// `number` distinguishes the stages of a step; in a retry the stage is given the objects that
  /// were put in alone.
  init(
    _ file: LuaStage, _ stage: PipelineStage, _ builder: StoreBuilder, number: Int,
    _ facts: StepBuilder.ScriptFacts, keepsHistory: Bool, _ log: RunLog,
    isRetry: Bool = false
  ) {
    (self.file, self.stage, self.builder) = (file, stage, builder)
    (self.facts, self.keepsHistory, self.log) = (facts, keepsHistory, log)
    self.isRetry = isRetry
    objects = RevisedObjects(
      builder, unit: "stage \(number) \(stage.name)", isOfRetry: isRetry)
  }

  /// Does what is left of the stage's work.
  ///
  /// - Throws: ``ScriptFailure`` when the stage fails, `Failure` for the store, `CancellationError`
  ///   when it is cancelled; nothing of the last chunk is kept.
  func run() throws {
    let left = try objects.progress()
    if left?.isDone == true { return }
    do {
      try ScriptThread.lend { try work(left) }
    } catch {
      objects.rollBack()
      throw try failure(error)
    }
    if let warnings = host?.warnings {
      log.warn(of: stage.name, warnings.kept, count: warnings.count, showsLines: false)
    }
  }

  private func work(_ left: ProgressRow?) throws {
    let model = builder.targetSchema.model
    let touches = StageTouches(try file.touches(stage.options), model)
    let limits = LuaLimits(memory: 64 << 20, time: .seconds(10))
    let world = try LoadedScript(
      file.file, params: [:], limits: limits, canceller: facts.canceller)
    let host = ScriptHost(world, RevisedStores(objects, model), creates: [], runID: facts.run)
    self.host = host
    let own = StageHost(host, objects, touches, model)
    own.report = { [log] entity, rows, total in
      log.progress(entity: entity, rows: rows, total: total, bytes: 0)
    }
    let prelude = try self.prelude(world, host, own)
    own.readState = { try prelude.field("state").call(.boolean(true)).first ?? .null }
    host.begin(nil, name: "stage \(stage.name)")
    let isResumed = left != nil && file.isResumable
    if let left, isResumed, let bytes = left.state {
      let position = try StagePosition(bytes)
      try prelude.field("restore").call(position.state)
      own.resume(left, position)
    }
    try objects.begin()
    let word = isResumed ? LuaStageReader.Word.resume : isRetry ? .retry : .run
    try prelude.field("work").call(.text(word.rawValue))
    if let decision = host.decision { throw decision }
    try own.commit(isDone: true)
  }

  private func prelude(
    _ world: LoadedScript, _ host: ScriptHost, _ own: StageHost
  ) throws -> LuaReference {
    try host.define()
    try own.define()
    try world.state.define(ScriptPrelude.table, as: world.result)
    let history = try objects.hasHistory ? (keepsHistory ? "keep" : "drop") : "none"
    let what: LuaValue = .fields([
      "now": .real(facts.now.timeIntervalSinceReferenceDate), "history": .text(history),
      "names": .list(file.description.options.map { .text($0.name) }),
      "options": .fields(stage.options.mapValues(\.scriptValue)),
    ])
    let prelude = try world.state.load(StagePrelude.text, name: StagePrelude.name)
      .callKeepingResult([.value(what)])
    try world.state.define(ScriptPrelude.module, as: nil)
    try world.state.define(ScriptPrelude.table, as: nil)
    return prelude
  }
}

// What is said when it fails.
extension StageRun {
  private func failure(_ error: any Error) throws -> any Error {
    if let error = host?.storeError, error.kind != .unusable { return error }
    switch error {
    case let error as LuaError where error.kind == .cancelled: return CancellationError()
    case let error as LuaError: return failure(error)
    case let error as ScriptDecision: return failure(error.reason, line: 0)
    case let error as Failure where error.kind == .unusable:
      return failure("\(error.what): \(error.subject). \(error.why)", line: 0)
    case let problem as Problem: return failure(problem.message, line: problem.line)
    default: return error
    }
  }

  private func failure(_ error: LuaError) -> ScriptFailure {
    let problem = file.file.problem(error)
    let reason = host?.decision?.reason
    let storeReason = host?.storeError.map { "\($0.what): \($0.subject). \($0.why)" }
    var failure = failure(reason ?? storeReason ?? problem.message, line: problem.line)
    if reason == nil, storeReason != nil, stage.options["fill"]?.boolean == true {
      failure.remedy =
        "Nothing in the store was changed. Correct what the value is stored in; or write "
        + "fill = false, with which the stage reads no values. Then give the same command again."
    }
    if problem.line > 0 { failure.path = problem.file }
    if !error.sourceLine.isEmpty { failure.sourceLine = error.sourceLine.oneLine }
    return failure
  }

  private func failure(_ message: String, line: Int) -> ScriptFailure {
    ScriptFailure(
      path: file.path, line: line, sourceLine: file.file.line(line).oneLine,
      message: ScriptMessage.text(message), doing: "running the stage \(stage.name)",
      remedy: "Nothing in the store was changed. Correct the stage or its options, and give the "
        + "same command again.")
  }
}

/// A stage in Lua with its options, which its file reads as the pipeline file has them.
struct RunnableLuaStage: RunnableStage {
  let file: LuaStage

  /// Works on the objects of the current step.
  func run(_ context: RunContext) async throws {
    let keepsHistory = context.plan.declarations.metadata.history != .drop
    let log = context.session.log
    try context.session.builder().revise { builder, number, facts in
      let run = StageRun(
        file, context.written, builder, number: number, facts, keepsHistory: keepsHistory, log)
      try run.run()
    }
  }
}

extension LuaStage {
  /// The stage as a pipeline file may name it.
  var kind: StageKind {
    StageKind(description.name, file: self, describe: { description }) { _ in
      StageToRun(stage: RunnableLuaStage(file: self))
    }
  }
}

extension StageRegistry {
  /// The same list with more stages, which take the places of those with their names.
  public func with(_ stages: [LuaStage]) -> StageRegistry { with(stages.map(\.kind)) }
}
