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
    /// The key that what it made on the way is above.
    let highest: Int64
  }

  /// The keys of those that can be retried.
  private(set) var keys: Keys
  /// Those that were taken from them since.
  private var without: Keys
  /// How many wait that this cannot be done with: another run rejected them, or it is not known in
  /// which step.
  let left: Int
  /// The earlier retries, in the order of the store's log.
  let settled: [Settled]

  init(_ folder: WorkFolder, _ source: KeptSource) throws {
    let (runs, steps) = (source.runs, source.plan.steps)
    let none = Keys(repeating: [:], count: steps.count)
    var keys = none
    var settled: [String: Keys] = [:]
    try RejectStore.forEach(at: folder.rejectsPath, of: source.kept.basis, runs) { reject, later in
      guard let step = Self.step(of: reject, steps) else { return }
      if let later {
        settled[later, default: none][step][reject.entity, default: []].append(reject.key)
      } else {
        keys[step][reject.entity, default: []].append(reject.key)
      }
    }
    let all = try RejectStore.waiting(at: folder.rejectsPath, log: runs)
    left = all.reduce(0) { $0 + $1.count } - Self.count(keys)
    (self.keys, without) = (keys, none)
    self.settled = runs.compactMap { run in
      settled[run].map { Settled(keys: $0, highest: source.highestKeys[run] ?? 0) }
    }
  }

  /// The step whose script rejected an object; nil where several may have.
  private static func step(of reject: Reject, _ steps: [PlannedStep]) -> Int? {
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

  /// Leaves one out: a later step has rejected what the scripts made from it.
  mutating func leave(_ object: ObjectID, of step: Int) {
    keys[step][object.entity]?.removeAll { $0 == object.key }
    without[step][object.entity, default: []].append(object.key)
    if keys[step][object.entity]?.isEmpty == true { keys[step][object.entity] = nil }
  }
}
