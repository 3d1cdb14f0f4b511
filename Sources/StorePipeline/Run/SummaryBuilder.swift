internal import CoreDataStore
internal import Foundation
internal import OperatingSystem
internal import StoreMigration
internal import StoreReplacement

/// What a run counts on its way, for its summary.
struct SummaryBuilder {
  /// How the run ends, once a stage has decided that.
  var outcome: RunSummary.Outcome?
  /// The version that the store had, where the plan does not know it any more.
  var source: String?
  /// Where the old store is.
  var backup: String?
  /// The objects that scripts rejected, by entity.
  var rejected: [String: Int] = [:]
  var rejects: [Reject] = []
  /// The rules that objects break.
  var failures: [RunSummary.BrokenRule] = []
  /// How many rules are broken in all.
  var failureCount = 0
  /// What would settle it, where that was seen before the run.
  var remedies: [RunSummary.Remedy] = []

  /// What is different, once that was asked for.
  var found: RunDiff.Result?
  /// Whether a stage has copied the store that was planned for: no other plan will do.
  var isBackedUp = false
  /// Whether the swap has failed, which is the reason then, even if the run was to stop.
  var hasSwapFailed = false
  /// The objects of the source by entity, where it is a sample of the store.
  var sampled: [String: Int]?

  private let plan: Plan
  private var objects: [String: Int]?
  private var bytes: Int64 = 0

  init(_ plan: Plan) { self.plan = plan }

  /// Counts for another plan from here on; what was noted of the run itself stays.
  mutating func start(over plan: Plan) {
    let (found, isBackedUp, hasSwapFailed) = (found, isBackedUp, hasSwapFailed)
    self = SummaryBuilder(plan)
    (self.found, self.isBackedUp, self.hasSwapFailed) = (found, isBackedUp, hasSwapFailed)
  }

  /// Whether the objects of the new store were counted.
  var isCounted: Bool { objects != nil }

  /// Takes over what speaks against the new store, and what those objects came from.
  mutating func refuse(
    _ result: ValidationResult, _ origins: [ObjectID: ObjectOrigins.Origin]
  ) {
    failureCount = result.errors + result.warnings
    failures = result.failures.map { failure in
      let origin = origins[ObjectID(entity: failure.entity, key: failure.key)]
      return RunSummary.BrokenRule(
        entity: failure.entity, key: failure.key, property: failure.property, rule: failure.rule,
        isInSource: failure.inSource, value: failure.value.map { "\($0)" },
        script: origin?.script, origin: origin.map { RunSummary.BrokenRule.Origin($0.object) })
    }
    for outcome in result.expectations where !outcome.isMet {
      failureCount += 1
      failures.append(RunSummary.BrokenRule(expectation: outcome))
    }
  }

  /// Takes over which objects would break rules, and what would settle it.
  mutating func refuse(_ result: PreflightResult) {
    failureCount = result.errors
    failures = result.failures.filter { !$0.inSource }.map { failure in
      RunSummary.BrokenRule(
        entity: failure.entity, key: failure.key, property: failure.property, rule: failure.rule,
        isInSource: false)
    }
    remedies = result.kinds.filter { $0.count.errors > 0 }.map { kind in
      RunSummary.Remedy(
        entity: kind.count.entity, property: kind.count.property,
        rule: kind.count.rule, refusal: kind.refusal, count: kind.count.errors,
        lines: kind.remedies)
    }
  }

  /// Takes over where the new store is not what the old one makes of it.
  mutating func refuse(_ result: VerificationResult) {
    failureCount = result.count
    failures = result.differences.map { difference in
      RunSummary.BrokenRule(
        entity: difference.entity, key: difference.key, property: difference.property,
        rule: difference.rule, isInSource: false)
    }
  }

  /// The objects that scripts of a run rejected, by entity; those from before it was resumed are
  /// among them.
  static func rejected(in folder: WorkFolder, run: String) throws -> [String: Int] {
    guard FileSystem.entry(following: folder.rejectsPath) != nil else { return [:] }
    let store = try RejectStore(path: folder.rejectsPath)
    let counts = try store.counts(run: run)
    try store.close()
    return counts
  }

  /// Takes over what scripts of a run rejected: how many, and the first of them.
  mutating func noteRejects(in folder: WorkFolder, run: String) throws {
    rejected = try Self.rejected(in: folder, run: run)
    guard rejected.values.contains(where: { $0 > 0 }),
      let store = try? RejectStore(path: folder.rejectsPath)
    else { return }
    defer { try? store.close() }
    rejects = (try? store.first(RunReport.mostRejects, run: run)) ?? []
  }

  /// Counts the objects of the new store.
  mutating func count(
    _ path: String, _ schema: StoreSchema, _ opened: OpenedStores, since walk: StoreMoment.Walk?
  ) throws {
    (objects, bytes) = try ObjectCounts.of(path, schema, opened, since: walk)
  }

  /// Adds the files of a folder to the size of the new store.
  mutating func addFiles(in folder: String) {
    let names = (try? FileSystem.names(in: folder)) ?? []
    bytes += names.reduce(0) { sum, name in
      sum + ((try? FileEntry.at("\(folder)/\(name)"))?.size ?? 0)
    }
  }

  func summary(
    _ outcome: RunSummary.Outcome, _ log: RunLog, store: String, seconds: Double
  ) -> RunSummary {
    RunSummary(
      run: log.run, store: store, source: source ?? plan.source?.name ?? "",
      target: plan.target.name,
      outcome: outcome, entities: isCounted ? entities : [],
      rejects: rejects.map(RunSummary.Rejected.init), warnings: log.warnings,
      failures: failures, failureCount: failureCount, remedies: remedies, bytes: bytes,
      seconds: seconds,
      peakMemory: ProcessLimits.peakMemory, backup: backup, digests: plan.digests)
  }

  /// The entities of the source with what they became, then those that only the target has.
  private var entities: [RunSummary.Entity] {
    var left = objects ?? [:]
    var found: [RunSummary.Entity] = []
    var seen: Set<String> = []
    for entity in plan.steps.first?.entities ?? [] {
      guard let name = entity.source, seen.insert(name).inserted else { continue }
      let target = plan.target(of: name)
      found.append(
        RunSummary.Entity(
          name: name, target: target, how: plan.way(of: name, entity.how),
          objectsBefore: sampled.map { $0[name] ?? 0 } ?? Int(entity.rows ?? 0),
          objectsInAll: sampled == nil ? nil : Int(entity.rows ?? 0),
          isEstimate: entity.isEstimate,
          objectsAfter: target.flatMap { left.removeValue(forKey: $0) } ?? 0,
          rejected: plan.names(of: name).reduce(0) { $0 + (rejected[$1] ?? 0) }))
    }
    for (name, count) in left.sorted(by: { $0.key < $1.key }) {
      let how = count > 0 ? PlannedEntity.Way.scripted : .added
      found.append(
        RunSummary.Entity(name: name, target: name, how: how.rawValue, objectsAfter: count))
    }
    return found
  }
}

extension Plan {
  /// What an entity of the source is called at the end; nil when its objects end on the way.
  func target(of entity: String) -> String? {
    steps.reduce(Optional(entity)) { name, step in
      name.flatMap { name in
        step.mapping.objects(from: name)?.target
          ?? step.targetSchema.entity(named: name).map { _ in name }
      }
    }
  }

  /// What an entity of the source is called in the steps that have it.
  fileprivate func names(of entity: String) -> Set<String> {
    var names: Set = [entity]
    var name: String? = entity
    for step in steps {
      name = name.flatMap { step.mapping.objects(from: $0)?.target }
      if let name { names.insert(name) }
    }
    return names
  }

  /// How its objects travel: by a script, when one has them in any step.
  fileprivate func way(of entity: String, _ first: PlannedEntity.Way) -> String {
    var name: String? = entity
    for step in steps {
      if let name, step.claims(name) { return PlannedEntity.Way.scripted.rawValue }
      name = name.flatMap { step.mapping.objects(from: $0)?.target }
    }
    return (target(of: entity) == nil ? .dropped : first).rawValue
  }
}

extension RunSummary.BrokenRule.Origin {
  fileprivate init(_ object: ObjectID) { self.init(entity: object.entity, key: object.key) }
}

extension RunSummary.BrokenRule {
  /// An expectation of the file that does not hold.
  fileprivate init(expectation outcome: ExpectationOutcome) {
    let expected = outcome.expectation
    let numbers = [
      outcome.destination.map { "\(expected.destination ?? ""): \($0)" },
      outcome.source.map { "\(expected.source ?? ""): \($0)" },
      expected.equals.map { "expected: \($0)" },
    ]
    self.init(
      entity: "", key: 0, property: expected.name,
      rule: numbers.compactMap(\.self).joined(separator: ", "), isInSource: false)
  }
}
