internal import CoreDataStore
internal import Foundation
internal import Lua
internal import StoreMigration
internal import StoreReplacement

/// The store that one step builds, from its first row to the last index.
final class StepBuilder {
  /// The step that is carried out.
  let plan: PlannedStep

  private let builder: StoreBuilder
  private let facts: ScriptFacts
  private(set) var scripts: [ScriptRun] = []
  private var revisions = 0

  /// What scripts learn of the run.
  struct ScriptFacts {
    /// The run's id.
    let run: String
    /// What every script of the run takes for now.
    let now: Date
    /// The file for rejected objects; nil where they are not kept.
    let rejects: String?
    /// Whether messages may show values.
    let showsValues: Bool
    /// Stops a script from another thread.
    let canceller: LuaCanceller
    /// The threads that run a script's functions in addition to the one that writes; 1 for none.
    var workers = 1
    /// The same where objects are large; nil for as many.
    var workersOfLarge: Int?
    /// What happens to an object that a script fails on; nil for what its stage says.
    var onError: ScriptOptions.OnError?
    /// How many failures of a script are reported one by one; nil for as many as usual.
    var mostFailures: Int?
    /// Whether an object that must lead to one that a script failed on ends the work.
    var endsAtFailures = true
  }

  init(_ plan: PlannedStep, _ builder: StoreBuilder, _ facts: ScriptFacts) {
    self.plan = plan
    self.builder = builder
    self.facts = facts
  }

  /// Lets small pieces of the work that `body` does share commits.
  func sharingCommits(_ limits: ChunkLimits, _ body: () throws -> Void) throws {
    try builder.sharingCommits(limits, body)
  }

  /// Copies the objects of one mapping that are not copied yet, in the way that was planned.
  func copy(_ object: ObjectMapping, _ limits: ChunkLimits, _ log: RunLog) throws {
    let copy = try builder.copy(of: object, limits: limits)
    try copy.run(log.progress)
    Self.tell(leftOut: copy.leftOut, of: object.source, log)
  }

  /// Gives the objects of one entity to their script.
  func transform(_ script: PlannedScript, _ log: RunLog) throws {
    guard script.outline.needsLua else { return }
    var options = ScriptOptions(runID: facts.run, now: facts.now, rejectsPath: facts.rejects)
    options.onError = facts.onError ?? script.transform.onError
    options.params = script.transform.params
    options.showsValues = facts.showsValues
    options.mostFailures = facts.mostFailures ?? options.mostFailures
    options.canceller = facts.canceller
    (options.workers, options.workersOfLarge) = (facts.workers, facts.workersOfLarge)
    let run = try ScriptRun(script.outline, builder, entity: script.entity, options)
    defer { run.endWorkers() }
    scripts.append(run)
    let limit = script.transform.mostRejects
    var reported = run.counts.rejected
    try run.run { progress in
      try log.progress(progress)
      while reported < run.counts.rejected {
        reported += 1
        log.reject(entity: script.entity, message: "an object was rejected")
      }
      try Self.check(run, limit, script)
    }
    Self.tell(leftOut: run.leftOut, of: script.entity, log)
  }

  private static func tell(leftOut count: Int, of entity: String, _ log: RunLog) {
    guard count > 0 else { return }
    log.warn("\(entity): \(Plural.text(count, "object")) left out by 'where'")
  }

  static let tooManyRejects = "too many objects were rejected"

  private static func check(_ run: ScriptRun, _ limit: Int?, _ script: PlannedScript) throws {
    guard let limit, run.counts.rejected > limit else { return }
    throw Failure(
      .no, what: tooManyRejects, subject: script.entity,
      why: "\(run.counts.rejected) were, and the stage allows \(limit).",
      remedy: run.failures.first.map { "The first: \($0)" } ?? "Look at the script.")
  }

  /// Makes the links that could not travel with their objects, then runs the scripts' later hooks.
  func connect(_ log: RunLog) throws {
    let links = LinkCopy(
      builder, endsAtFailures: facts.endsAtFailures, failure: failure(of:_:))
    for count in try links.run(progress: log.progress) {
      let name = "\(count.relationship)"
      if count.discarded > 0 { log.warn(discarded: count.discarded, of: count.relationship) }
      if count.dangling > 0 {
        let links = Plural.text(count.dangling, "link")
        log.warn("\(name): \(links) to objects that were left out")
      }
      if count.several > 0 {
        let links = Plural.text(count.several, "link")
        log.warn("\(name): \(links) of objects that became several, the first has them")
      }
    }
    for script in scripts { try script.relate(log.progress) }
    for script in scripts { try script.finish() }
    for script in scripts { tell(script, log) }
    let drops = plan.declarations.instructions.drops
    for script in scripts {
      let emptied = try builder.emptied(from: script.entity, dropping: drops)
      for attribute in emptied { Self.tell(attribute, log) }
    }
  }

  /// Why a script failed on an object of the source, with its line; nil where none is known to.
  private func failure(of entity: String, _ key: Int64) throws -> String? {
    func isIt(_ other: String?) -> Bool {
      other.map { builder.sourceSchema.entity(named: $0)?.table }
        == builder.sourceSchema.entity(named: entity)?.table
    }
    let failures = scripts.flatMap(\.failures)
    if let failure = failures.first(where: { $0.key == key && isIt($0.entity) }) {
      return "\(failure.path):\(failure.line): \(failure.message)"
    }
    // An earlier process may have met it, or it is not among the first that are kept.
    guard let path = facts.rejects else { return nil }
    return try RejectStore.rejected(key, run: facts.run, at: path)
      .first { isIt($0.entity) && [nil, plan.to.name].contains($0.step) }
      .map { "\($0.script):\($0.line): \($0.reason)" }
  }

  private static func tell(_ emptied: EmptiedAttribute, _ log: RunLog) {
    let values = Plural.text(emptied.values, "value")
    log.warn(
      "\(emptied.attribute): \(values) in the source, none in any object now; if the script is "
        + "meant to empty it, say so: drop \"\(emptied.source)\"")
  }

  private func tell(_ script: ScriptRun, _ log: RunLog) {
    let counts = script.counts
    log.warn(of: script.name, script.warnings, count: counts.warnings)
    for (count, what) in [
      (counts.skipped, "left out by the script"), (counts.failed, "left out, the script failed"),
      (counts.rejected, "rejected"),
    ] where count > 0 {
      log.warn("\(script.entity): \(Plural.text(count, "object")) \(what)")
    }
    if counts.rounded > 0 {
      log.warn("\(script.entity): \(Plural.text(counts.rounded, "decimal")) lost digits")
    }
  }

  private static let settled = "settled"

  /// Whether the objects and links were all there, and stages had begun to change them.
  var isMade: Bool { get throws { try builder.progress(of: Self.settled) != nil } }

  func noteMade() throws { try builder.record(ProgressRow(unit: Self.settled, isDone: true)) }

  /// Lets a stage change the objects that are there; `number` distinguishes the stages of a step.
  func revise(
    _ body: (_ builder: StoreBuilder, _ number: Int, ScriptFacts) throws -> Void
  ) throws {
    revisions += 1
    try body(builder, revisions, facts)
  }

  /// Makes the store whole and closes it; gives back what is known of its pages.
  @discardableResult
  func finish(
    _ choices: FinishChoices, _ folder: WorkFolder, _ log: RunLog
  ) throws -> StoreMoment.Walk? {
    try folder.placeExternals(try builder.externals(), from: builder.externalFolder)
    let summary = try StoreFinish(builder, choices).run(progress: log.finishing)
    for warning in summary.warnings { log.warn("\(warning)") }
    return builder.walk
  }

  /// Closes the store as it is.
  func close() { try? builder.close() }
}

extension ScriptRun {
  fileprivate var name: String { outline.path }
}
