internal import Foundation

/// How far a run is as a whole: one number from 0 to 1 that never falls, and the seconds that
/// remain.
///
/// Each unit of the schedule has an estimate of the seconds it takes on a usual machine, from the
/// objects and bytes of the store. What units have taken so far corrects the estimate of the
/// others: that of scripts by scripts, because nothing tells beforehand how slow one is, and that
/// of all else by all that was done.
package struct RunFraction: Sendable {
  /// From 0 to 1.
  package private(set) var value = 0.0
  /// The seconds until the end, as far as the run has shown.
  package private(set) var remaining = 0.0
  /// The objects that the current unit has made; 0 where it makes none.
  package private(set) var objects = 0
  /// The objects of the current unit; 0 while that is unknown.
  package private(set) var objectsInAll = 0

  private var units: [Unit]
  private var current: Int?
  private var time: Date?
  /// What was estimated of the work done so far, by this run or before it was interrupted.
  private var done = Work()
  /// What the units before the current one have taken, as far as it says something of the others.
  private var past = Measure()
  private var unit = Measure()
  private let all: Work

  /// Seconds of the two kinds of work, each with its own pace.
  struct Work: Sendable {
    var scripts = 0.0
    var others = 0.0
    var sum: Double { scripts + others }

    static func + (one: Work, other: Work) -> Work {
      Work(scripts: one.scripts + other.scripts, others: one.others + other.others)
    }

    static func - (one: Work, other: Work) -> Work {
      Work(scripts: one.scripts - other.scripts, others: one.others - other.others)
    }
  }

  private struct Measure: Sendable {
    var done = Work()
    var spent = Work()
  }

  struct Unit: Sendable {
    let name: String
    /// The step that it belongs to, if it belongs to one.
    let step: Int?
    /// What is not counted by entity.
    var base = 0.0
    /// What is counted by entity, objects that are made or made again.
    var entities: [String: Double] = [:]
    var isScripted = false
    /// How much of the base is done as each of its parts begins, where these are unequal.
    var course: [Double] = []
    /// How much of the base is done.
    var share = 0.0
    /// How far each entity is.
    var parts: [String: (done: Int, total: Int)] = [:]

    var all: Work { work(entities.values.reduce(0, +), base) }

    fileprivate var done: Work {
      guard share < 1 || !parts.isEmpty else { return all }
      let made = parts.reduce(0.0) { sum, part in
        let share = Double(part.value.done) / Double(max(1, part.value.total))
        return sum + (entities[part.key] ?? 0) * min(1, max(0, share))
      }
      return work(made, base * share)
    }

    private func work(_ made: Double, _ rest: Double) -> Work {
      isScripted ? Work(scripts: made, others: rest) : Work(others: made + rest)
    }
  }

  /// The run of a plan, before it begins; an interrupted run has finished some of the steps.
  package init(
    _ plan: Plan, _ options: RunOptions = RunOptions(), finishedSteps: Int = 0,
    stages: StageRegistry
  ) {
    units = Estimate(plan, options, stages.with(plan.pipeline.plugins.map(\.stage))).units
    all = units.reduce(Work()) { $0 + $1.all }
    current = units.lastIndex { $0.step.map { $0 < finishedSteps } ?? false }
    if let current {
      units[current].share = 1
      done = units[...current].reduce(Work()) { $0 + $1.all }
    }
    rise()
  }

  /// The same for a run that was planned again on its way, which is no less far by that.
  package mutating func start(over fresh: RunFraction) {
    let (value, time) = (value, time)
    self = fresh
    (self.value, self.time) = (max(value, fresh.value), time)
  }

  /// Takes an event of the run.
  package mutating func take(_ event: ProgressEvent) {
    let isScript = current.map { units[$0].isScripted && event.kind == .progress } ?? false
    switch event.kind {
    case .stageStarted: start(event.stage ?? "")
    case .progress: note(event)
    case .stageFinished: end(event.stage)
    case .swapped: value = max(value, 0.99)
    case .runFinished where event.status == 0: (value, remaining) = (1, 0)
    case .runStarted, .warning, .rejected, .output, .runFinished: break
    }
    measure(event.time, isScript: isScript)
    if event.kind != .runFinished { rise() }
  }

  /// The next unit of that name begins; a run that is resumed leaves units out.
  private mutating func start(_ name: String) {
    let rest = units.indices.dropFirst(current.map { $0 + 1 } ?? 0)
    guard let next = rest.first(where: { units[$0].name == name }) else { return }
    current = next
    (past, unit) = (measured, Measure())
    (objects, objectsInAll) = (0, 0)
  }

  private mutating func note(_ event: ProgressEvent) {
    guard let current, units[current].name == event.stage else { return }
    let isMade = units[current].name != RunLog.verify || event.isRepeated
    guard isMade, let entity = event.entity, units[current].entities[entity] != nil else {
      let course = units[current].course
      let share =
        course.indices.contains(event.rows)
        ? course[event.rows] : Double(event.rows) / Double(max(1, event.total ?? event.rows))
      units[current].share = max(units[current].share, min(1, share))
      return
    }
    let known = units[current].parts[entity]?.total ?? 0
    units[current].parts[entity] = (event.rows, max(known, event.total ?? event.rows))
    guard !event.isRepeated else { return }
    let parts = units[current].parts.values
    objects = parts.reduce(0) { $0 + $1.done }
    objectsInAll = parts.reduce(0) { $0 + $1.total }
  }

  /// A unit has ended: what it did not report is done, too.
  private mutating func end(_ name: String?) {
    guard let current, units[current].name == name else { return }
    units[current].share = 1
    units[current].parts = [:]
  }

  /// Notes what was done since the last event, and how long it took.
  private mutating func measure(_ now: Date, isScript: Bool) {
    let seconds = max(0, time.map { now.timeIntervalSince($0) } ?? 0)
    time = now
    if isScript { unit.spent.scripts += seconds } else { unit.spent.others += seconds }
    guard let current else { return }
    let before = done
    done = units[..<current].reduce(Work()) { $0 + $1.all } + units[current].done
    // What is there at once was done by the run that was interrupted: it says nothing of the pace.
    let more = done - before
    if seconds >= 0.005 || more.sum <= 0.02 * all.sum { unit.done = unit.done + more }
  }

  /// What is known of the pace.
  ///
  /// A unit that takes far longer than was estimated, or far less, says more of itself than of the
  /// units that remain. Scripts have a pace of their own, which one of them shows.
  private var measured: Measure {
    // What is done can be less than it was: an entity may have more objects than were expected.
    let pace = (past.spent.others + prior) / (max(0, past.done.others) + prior)
    let expected = max(0, unit.done.others) * pace
    var sum = Measure(done: past.done + unit.done, spent: past.spent + unit.spent)
    sum.spent.others =
      past.spent.others + min(max(unit.spent.others, expected / 3), expected * 3)
    return sum
  }

  /// A little of the estimate stands for what is not measured yet.
  private var prior: Double { max(0.000_001, 0.05 * all.sum) }

  private mutating func rise() {
    let measured = measured
    let whole = (measured.spent.sum + prior) / (max(0, measured.done.sum) + prior)
    func pace(_ spent: Double, _ done: Double) -> Double {
      (spent + prior * whole) / (max(0, done) + prior)
    }
    let ofScripts = pace(measured.spent.scripts, measured.done.scripts)
    let ofOthers = pace(measured.spent.others, measured.done.others)
    let left = all - done
    remaining = max(0, max(0, left.scripts) * ofScripts + max(0, left.others) * ofOthers)
    let past = done.scripts * ofScripts + done.others * ofOthers
    guard past > 0 else { return }
    value = max(value, min(0.99, past / (past + remaining)))
  }
}
