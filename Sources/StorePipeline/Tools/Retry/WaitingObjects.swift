internal import CoreDataStore
internal import StoreMigration
internal import StoreReplacement

/// The objects that a run rejected: those that wait to be retried, and those put in since.
struct WaitingObjects {
  /// Keys by the entity's name, for each step of the plan.
  typealias Keys = [[String: [Int64]]]

  /// The objects that an earlier retry has put in.
  struct Settled {
    var keys: Keys
    /// The key that what it made is above; nil in a retry that did not note it.
    let highest: Int64?
  }

  /// The keys of those that can be retried.
  private(set) var keys: Keys
  /// Those that were taken from them since.
  private var without: Keys
  /// How many wait that this cannot be done with: another run rejected them, or it is not known in
  /// which step.
  let left: Int
  /// The first of these, to be named.
  private(set) var leftObjects: [Reject] = []
  /// The runs that rejected any of them.
  private(set) var leftRuns: Set<String> = []
  /// The earlier retries, in the order of the store's log.
  let settled: [Settled]

  init(_ folder: WorkFolder, _ source: KeptSource) throws {
    let (runs, steps) = (source.runs, source.plan.steps)
    let none = Keys(repeating: [:], count: steps.count)
    var (keys, without) = (none, none)
    var settled: [String: Keys] = [:]
    var left: [Reject] = []
    try RejectStore.forEach(at: folder.rejectsPath, of: source.kept.basis, runs) { reject, later in
      guard let step = Self.step(of: reject, steps) else {
        if later == nil { left.append(reject) }
        return
      }
      if later == nil {
        keys[step][reject.entity, default: []].append(reject.key)
      } else if let later, later != source.kept.basis {
        settled[later, default: none][step][reject.entity, default: []].append(reject.key)
      } else {
        // Given up: it is in no store.
        without[step][reject.entity, default: []].append(reject.key)
      }
    }
    let all = try RejectStore.waiting(at: folder.rejectsPath, log: runs)
    self.left = all.reduce(0) { $0 + $1.count } - Self.count(keys)
    leftRuns = Set(all.map(\.run)).subtracting(left.isEmpty ? [source.kept.basis] : [])
    for run in leftRuns.sorted() where run != source.kept.basis {
      try RejectStore.forEach(at: folder.rejectsPath, of: run, runs) { reject, later in
        if later == nil, left.count < Self.mostListed { left.append(reject) }
      }
    }
    leftObjects = Array(left.prefix(Self.mostListed))
    (self.keys, self.without) = (keys, without)
    self.settled = runs.compactMap { run in
      settled[run].map { Settled(keys: $0, highest: source.highestKeys[run]) }
    }
  }

  /// How many of those that cannot be retried are named.
  private static let mostListed = 100

  /// Those that are in no store, whether they can be retried or were given up.
  var absent: Keys { keys.indices.map { keys[$0].merging(without[$0]) { $0 + $1 } } }

  /// The step whose script rejected an object; nil where none is noted and several may have.
  private static func step(of reject: Reject, _ steps: [PlannedStep]) -> Int? {
    if let name = reject.step { return steps.firstIndex { $0.to.name == name } }
    let all = steps.indices.filter { step in
      steps[step].scripts.contains { $0.entity == reject.entity && $0.outline.needsLua }
    }
    guard all.count > 1 else { return all.first }
    func named(_ isIt: (String) -> Bool) -> [Int] {
      all.filter { step in
        steps[step].scripts.contains { $0.entity == reject.entity && isIt($0.outline.path) }
      }
    }
    let same = named { $0 == reject.script }
    let found = same.isEmpty ? named { Self.mayBeSame($0, reject.script) } : same
    return found.count == 1 ? found[0] : nil
  }

  /// Whether two paths may name one file, seen from different folders: one of them ends as the
  /// other does, without the way up.
  static func mayBeSame(_ one: String, _ other: String) -> Bool {
    let (one, other) = (way(one), way(other))
    let count = min(one.count, other.count)
    return count > 0 && one.suffix(count) == other.suffix(count)
  }

  private static func way(_ path: String) -> [Substring] {
    path.split(separator: "/").filter { $0 != "." && $0 != ".." }
  }

  private static func count(_ keys: Keys) -> Int {
    keys.reduce(0) { sum, step in sum + step.values.reduce(0) { $0 + $1.count } }
  }

  var count: Int { Self.count(keys) }

  /// All that the run rejected in one step, whatever happened to it since.
  func rejected(in step: Int) -> [String: [Int64]] {
    (settled.map(\.keys) + [without]).reduce(keys[step]) { $0.merging($1[step]) { $0 + $1 } }
  }

  /// Leaves one out: what the scripts made from it cannot be in the store.
  ///
  /// - Returns: Whether it was not left out before.
  mutating func leave(_ object: ObjectID, of step: Int) -> Bool {
    guard keys[step][object.entity]?.contains(object.key) == true else { return false }
    keys[step][object.entity]?.removeAll { $0 == object.key }
    without[step][object.entity, default: []].append(object.key)
    if keys[step][object.entity]?.isEmpty == true { keys[step][object.entity] = nil }
    return true
  }
}

extension KeptSource {
  /// Refuses objects that a stage in Lua would have changed in the run, and could not change now.
  ///
  /// A stage of the last step is given what is put in, if it says how: `retry`. What one of an
  /// earlier step merges or takes out has gone through later steps since: links that led there
  /// would be lost.
  func refuseStages(for rejects: WaitingObjects) throws {
    let entities = rejects.keys.map { Set($0.keys) }
    guard let (revision, why) = plan.steps.stageAgainstRetry(of: entities, stages) else { return }
    throw Failure(
      .misuse, what: "cannot retry the objects", subject: folder.store,
      why: "The stage \(revision.stage) would not change them as it does in a run. \(why)",
      remedy: "Go back with `\(folder.command("rollback"))` and run the pipeline again with the "
        + "corrected scripts; what the application has written since the run is not in the store "
        + "that comes back. Or give these objects up with "
        + "`\(folder.command(["clean", "--rejects", folder.store]))`.")
  }
}

extension [PlannedStep] {
  /// The stage that would make it impossible to retry objects, and why; `entities` are those of the
  /// objects that are rejected, for each step.
  func stageAgainstRetry(
    of entities: [Set<String>], _ stages: StageRegistry
  ) -> (revision: PlannedRevision, why: String)? {
    guard let first = entities.firstIndex(where: { !$0.isEmpty }), let step = last else {
      return nil
    }
    for step in self[first..<(count - 1)] {
      guard let revision = step.revisions.first else { continue }
      return (
        revision,
        "It belongs to the step to '\(step.to.name)', and what it has changed there has gone "
          + "through later steps since: links to it would be lost."
      )
    }
    return step.stageAgainstRetry(
      for: first < count - 1 ? nil : step.targets(of: entities[first]), stages)
  }
}

extension PlannedStep {
  fileprivate func stageAgainstRetry(
    for targets: Set<String>?, _ stages: StageRegistry
  ) -> (revision: PlannedRevision, why: String)? {
    // What stages have changed by then: the next is not given that.
    var changed: Set<String> = []
    for revision in revisions {
      let touched = revision.touched(of: targetSchema.model)
      // A stage that none of them reaches has nothing to do.
      guard targets.map({ !$0.union(changed).isDisjoint(with: touched) }) ?? true else { continue }
      guard changed.isDisjoint(with: touched) else {
        return (revision, "It would not be given what another stage above it has made or changed.")
      }
      guard stages.kind(named: revision.stage)?.file?.isRetriable == true else {
        return (
          revision,
          "It does not say how it changes objects that are put in later: its file has "
            + "no function 'retry'."
        )
      }
      changed.formUnion(touched)
    }
    return nil
  }

  /// The entities of the objects that are made from some of the source; nil where a hook of a
  /// script may change any.
  fileprivate func targets(of entities: Set<String>) -> Set<String>? {
    let hasHooks = scripts.contains {
      entities.contains($0.entity) && !$0.outline.hooks.isEmpty
    }
    return hasHooks ? nil : Set(entities.compactMap { mapping.objects(from: $0)?.target })
  }

  /// The entities of which scripts may reject objects.
  fileprivate var rejecting: Set<String> {
    Set(scripts.filter(\.mayReject).map(\.entity))
  }
}

extension [PlannedStep] {
  /// What is said of a pipeline with steps whose rejected objects could not be retried.
  func retryWarnings(_ stages: StageRegistry, file: String) -> [Problem] {
    // From several versions straight to the last there are as many steps, and no chain.
    let isChain = zip(self, dropFirst()).allSatisfy { $0.to.name == $1.from.name }
    return (isChain ? [self] : map { [$0] }).compactMap { steps in
      let entities = steps.map(\.rejecting)
      guard let (revision, why) = steps.stageAgainstRetry(of: entities, stages) else { return nil }
      let names = Set(entities.joined()).sortedByName().joined(separator: ", ")
      let isEarly = steps.last?.revisions.contains(revision) == false
      let isRetriable = stages.kind(named: revision.stage)?.file?.isRetriable == true
      let advice = isEarly && isRetriable ? " Put it into the last step, if it can be there." : ""
      return Problem(
        file: file, line: revision.line ?? 0,
        message: "rejected objects of \(names) could not be retried, because of the stage "
          + "\(revision.stage). \(why)\(advice)")
    }
  }
}

extension PlannedRevision {
  /// The entities whose objects it may change.
  func touched(of model: Model) -> Set<String> {
    let touches = StageTouches(self.touches, model)
    let entities = model.entities.filter { entity in
      let names =
        model.allAttributes(of: entity).map(\.name) + model.allRelationships(of: entity).map(\.name)
      return touches.hasObjects(of: entity.name)
        || names.contains { touches.has($0, of: entity.name) }
    }
    return Set(entities.map(\.name))
  }
}
