internal import Foundation

/// How far a run is as a whole: one number from 0 to 1 that never falls, and the seconds that
/// remain.
///
/// Each unit of the schedule has an estimate of the seconds it takes on a usual machine, from the
/// objects and bytes of the store. What units have taken so far corrects the estimate of the
/// others: that of scripts by scripts, because nothing tells beforehand how slow one is, and that
/// of all else by all that was done. The unit at work has a pace of its own, as soon as it shows.
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

  private struct Measure: Sendable {
    var done = Work()
    var spent = Work()
  }

  /// The run of a plan, before it begins; an interrupted run has finished some of the steps.
  package init(
    _ plan: Plan, _ options: RunOptions = RunOptions(), finishedSteps: Int = 0,
    stages: StageRegistry
  ) {
    let estimate = Estimate(plan, options, stages.with(plan.pipeline.plugins.map(\.stage)))
    self.init(units: estimate.units, finishedSteps: finishedSteps)
  }

  init(units: [Unit], finishedSteps: Int = 0) {
    self.units = units
    all = units.reduce(Work()) { $0 + $1.all }
    current = units.lastIndex { $0.step.map { $0 < finishedSteps } ?? false }
    if let current {
      self.units[current].isFinished = true
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
    let kind = kind(of: event)
    switch event.kind {
    case .stageStarted: start(event.stage ?? "")
    case .progress: note(event)
    case .stageFinished: end(event.stage)
    case .swapped: value = max(value, 0.99)
    case .runFinished where event.status == 0: (value, remaining) = (1, 0)
    case .runStarted, .warning, .rejected, .output, .runFinished: break
    }
    measure(event.time, kind)
    if event.kind != .runFinished { rise() }
  }

  /// The work that was done between the last event and this one.
  private func kind(of event: ProgressEvent) -> Work.Kind {
    guard let current, event.kind == .progress, let entity = event.entity,
      units[current].makes(entity, again: event.isRepeated)
    else { return .plain }
    return units[current].kind
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
    units[current].note(event)
    guard !event.isRepeated else { return }
    (objects, objectsInAll) = units[current].objects
  }

  /// A unit has ended: what it did not report is done, too.
  private mutating func end(_ name: String?) {
    guard let current, units[current].name == name else { return }
    units[current].isFinished = true
  }

  /// Notes what was done since the last event, and how long it took.
  private mutating func measure(_ now: Date, _ kind: Work.Kind) {
    let seconds = max(0, time.map { now.timeIntervalSince($0) } ?? 0)
    time = now
    unit.spent[kind] += seconds
    guard let current else { return }
    let before = done
    done = units[..<current].reduce(Work()) { $0 + $1.all } + units[current].done
    // What is there at once was done by the run that was interrupted: it says nothing of the pace.
    let more = done - before
    if seconds >= 0.005 || more.sum <= 0.02 * all.sum { unit.done = unit.done + more }
  }
}

// What was done, and what remains.
extension RunFraction {
  /// A little of the estimate stands for what is not measured yet; more where scripts that ran once
  /// have shown what to expect.
  private func prior(_ kind: Work.Kind) -> Double {
    max(0.000_001, (kind == .repeats ? 0.15 : 0.006) * all[kind])
  }

  private func pace(_ spent: Double, _ done: Double, _ usual: Double, _ weight: Double) -> Double {
    (max(0, spent) + weight * usual) / (max(0, done) + weight)
  }

  /// What is known of the pace.
  ///
  /// A unit that takes far longer than was estimated, or far less, says more of itself than of the
  /// units that remain: it may have waited for a lock.
  private var measured: Measure {
    // What is done can be less than it was: an entity may have more objects than were expected.
    let usual = pace(past.spent.plain, past.done.plain, 1, prior(.plain))
    let expected = max(0, unit.done.plain) * usual
    var sum = Measure(done: past.done + unit.done, spent: past.spent + unit.spent)
    // The first unit shows how fast the machine is, of which nothing was known.
    let most: Double = past.done.plain > 0 ? 3 : 6
    sum.spent.plain =
      past.spent.plain + min(max(unit.spent.plain, expected / most), expected * most)
    return sum
  }

  /// Seconds taken for a second of the estimate, of each kind of work.
  private var paces: Work {
    let measured = measured
    let plain = pace(measured.spent.plain, measured.done.plain, 1, prior(.plain))
    let scripts = pace(
      measured.spent.scripts, measured.done.scripts, plain, prior(.scripts))
    // A script that takes longer than was estimated takes that much longer the second time, too;
    // the rest of making an object again is reading it.
    let longer = max(0, scripts - plain) * all.scripts / max(0.000_001, all.repeats)
    let again = min(scripts, plain) + (all.scripts > 0 ? longer : 0)
    let repeats = pace(measured.spent.repeats, measured.done.repeats, again, prior(.repeats))
    return Work(plain: plain, scripts: scripts, repeats: repeats)
  }

  private mutating func rise() {
    let (paces, left) = (paces, all - done)
    remaining = max(0, left.scripts) * paces.scripts + max(0, left.repeats) * paces.repeats
    let past =
      done.plain * paces.plain + done.scripts * paces.scripts + done.repeats * paces.repeats
    // What is left of the current unit continues as that unit does.
    let unitLeft = current.map { max(0, units[$0].all.plain - units[$0].done.plain) } ?? 0
    let whole = current.map { units[$0].all.plain } ?? 0
    let own = pace(unit.spent.plain, unit.done.plain, paces.plain, max(0.000_001, 0.15 * whole))
    remaining += unitLeft * own + max(0, left.plain - unitLeft) * paces.plain
    guard past > 0 else { return }
    value = max(value, min(0.99, past / (past + remaining)))
  }
}

extension RunFraction {
  /// Seconds of the kinds of work, each with its own pace.
  struct Work: Sendable {
    var plain = 0.0
    /// Scripts that make objects, or values of them.
    var scripts = 0.0
    /// The same a second time, to verify them.
    var repeats = 0.0

    enum Kind: Sendable { case plain, scripts, repeats }

    subscript(kind: Kind) -> Double {
      get {
        switch kind {
        case .plain: plain
        case .scripts: scripts
        case .repeats: repeats
        }
      }
      set {
        switch kind {
        case .plain: plain = newValue
        case .scripts: scripts = newValue
        case .repeats: repeats = newValue
        }
      }
    }

    var sum: Double { plain + scripts + repeats }

    static func + (one: Work, other: Work) -> Work {
      Work(
        plain: one.plain + other.plain, scripts: one.scripts + other.scripts,
        repeats: one.repeats + other.repeats)
    }

    static func - (one: Work, other: Work) -> Work {
      Work(
        plain: one.plain - other.plain, scripts: one.scripts - other.scripts,
        repeats: one.repeats - other.repeats)
    }
  }

  /// A piece of the schedule that reports how far it is.
  struct Unit: Sendable {
    let name: String
    /// The step that it belongs to, if it belongs to one.
    let step: Int?
    /// The seconds of what is not counted by entity.
    var base = 0.0
    /// The seconds of objects that are made, or made again, by entity.
    var entities: [String: Double] = [:]
    /// What making them is.
    var kind = Work.Kind.plain
    /// The seconds of looking at entities, each of which is reported once it was looked at.
    var looks: [String: Double] = [:]
    /// How much of the base is done as each of its parts begins, where these are unequal.
    var course: [Double] = []
    /// The objects of each entity, where events do not say it.
    var counts: [String: Int] = [:]
    var isFinished = false

    /// How much of the base is done.
    private var share = 0.0
    private var looked: Set<String> = []
    /// How far each entity is.
    private var parts: [String: (done: Int, total: Int)] = [:]

    init(name: String, step: Int?, base: Double = 0) {
      (self.name, self.step, self.base) = (name, step, base)
    }

    var all: Work {
      work(entities.values.reduce(0, +), base + looks.values.reduce(0, +))
    }

    var done: Work {
      guard !isFinished else { return all }
      let made = parts.reduce(0.0) { sum, part in
        let share = Double(part.value.done) / Double(max(1, part.value.total))
        return sum + (entities[part.key] ?? 0) * min(1, max(0, share))
      }
      let seen = looked.reduce(0.0) { $0 + (looks[$1] ?? 0) }
      return work(made, base * share + seen)
    }

    /// The objects that are made, and how many there are in all.
    var objects: (done: Int, all: Int) {
      (parts.values.reduce(0) { $0 + $1.done }, parts.values.reduce(0) { $0 + $1.total })
    }

    private func work(_ made: Double, _ rest: Double) -> Work {
      var work = Work(plain: rest)
      work[kind] += made
      return work
    }

    /// Whether an event of an entity is about objects that are made.
    func makes(_ entity: String, again: Bool) -> Bool {
      entities[entity] != nil && again == (kind == .repeats)
    }

    /// Takes a report of how far it is.
    mutating func note(_ event: ProgressEvent) {
      if let entity = event.entity, makes(entity, again: event.isRepeated) {
        let total = event.total ?? max(event.rows, counts[entity] ?? 0)
        parts[entity] = (event.rows, max(total, parts[entity]?.total ?? 0))
      } else if let entity = event.entity, looks[entity] != nil {
        looked.insert(entity)
      } else if course.indices.contains(event.rows) {
        share = max(share, course[event.rows])
      } else if entities.isEmpty, looks.isEmpty, let total = event.total {
        // Whatever else an event of a unit that makes objects names is not of its parts.
        share = max(share, min(1, Double(event.rows) / Double(max(1, total))))
      }
    }
  }
}
