internal import Foundation

/// How far a run is as a whole: one number from 0 to 1 that never falls, and the seconds that
/// remain.
///
/// Each unit of the schedule has an estimate of the seconds that it takes on a usual machine, from
/// the objects and bytes of the store. The run shows what this machine makes of that: computing,
/// writing to the disk, and scripts each have a pace of their own. What a kind of work has not
/// shown yet follows from the others, and at first from what it took to check the store.
package struct RunFraction: Sendable {
  /// From 0 to 1.
  package private(set) var value = 0.0
  /// The seconds until the end, as far as the run has shown.
  private(set) var remaining = 0.0
  /// The objects that the current unit has made; 0 where it makes none.
  package private(set) var objects = 0
  /// The objects of the current unit; 0 while that is unknown.
  package private(set) var objectsInAll = 0

  private var units: [Unit]
  private var current: Int?
  private var start: Date?
  private var time: Date?
  /// The seconds since an event showed that work was done.
  private var waited = 0.0
  /// What was estimated of the work done so far, by this run or before it was interrupted.
  private var done = Work.zero
  /// The work that shows the pace, and the seconds it took.
  ///
  /// A unit may well take a third more or less than was estimated, so that the pace of the last one
  /// says less of the next than that of them all; what is long past counts a little less.
  private var (known, spent) = (Work.zero, Work.zero)
  /// The work that stands for what is not known yet.
  private var presumed: Work
  private static let presumption = Work(0.03, 0.05, 0.02, 0.15, 0.05, 0, 0, 0)
  private let all: Work
  /// The pace that is presumed: the one that the machine had before the run.
  private let usual: Double
  /// The work of the units before each: a run may have one for each of a thousand scripts.
  private let sums: [Work]
  /// The step whose scripts show the pace of scripts.
  private var scriptedStep: Int?
  /// What was done before these scripts, and the seconds that it took by its own pace.
  private var (past, pastSeconds) = (Work.zero, 0.0)

  /// The run of a plan, before it begins; an interrupted run has finished some of the steps.
  package init(
    _ plan: Plan, _ options: RunOptions = RunOptions(), finishedSteps: Int = 0,
    stages: StageRegistry
  ) {
    let estimate = Estimate(plan, options, stages.with(plan.pipeline.plugins.map(\.stage)))
    self.init(units: estimate.units, pace: estimate.pace, finishedSteps: finishedSteps)
  }

  init(units: [Unit], pace: Double = 1, finishedSteps: Int = 0) {
    (self.units, usual) = (units, pace)
    var (all, sums) = (Work.zero, [Work]())
    for unit in units {
      sums.append(all)
      all += unit.all
    }
    (self.all, self.sums) = (all, sums)
    presumed = all * Self.presumption + 0.000_001
    current = units.lastIndex { $0.step.map { $0 < finishedSteps } ?? false }
    if let current {
      self.units[current].isFinished = true
      done = sums[current] + units[current].all
    }
    rise()
  }

  /// The same for a run that was planned again on its way, which is no less far by that.
  package mutating func start(over fresh: RunFraction) {
    let (value, start, time) = (value, start, time)
    self = fresh
    (self.value, self.start, self.time) = (max(value, fresh.value), start, time)
  }

  /// The seconds that remain, once that means something: a tenth of the run is done, it has taken a
  /// second, and does not end within two.
  package var saidRemaining: Double? {
    guard let start, let time, time.timeIntervalSince(start) >= 1, value >= 0.1,
      remaining >= 2
    else { return nil }
    return remaining
  }

  /// Takes an event of the run.
  package mutating func take(_ event: ProgressEvent) {
    switch event.kind {
    case .stageStarted: start(event.stage ?? "")
    case .progress: note(event)
    case .stageFinished: end(event.stage)
    case .swapped: value = max(value, 0.99)
    case .runFinished where event.status == 0: (value, remaining) = (1, 0)
    case .runStarted, .warning, .rejected, .output, .runFinished: break
    }
    measure(event.time)
    if event.kind != .runFinished { rise() }
  }

  /// The next unit of that name begins; a run that is resumed leaves units out.
  private mutating func start(_ name: String) {
    let rest = units.indices.dropFirst(current.map { $0 + 1 } ?? 0)
    guard let next = rest.first(where: { units[$0].name == name }) else { return }
    current = next
    (objects, objectsInAll) = (0, 0)
    guard let step = units[next].step, step != scriptedStep, units[next].all[.scripts] > 0 else {
      return
    }
    scriptedStep = step
    (past, pastSeconds) = (done, secondsDone)
    // The scripts of one step say nothing of those of another.
    for kind in [Kind.scripts, .repeats] {
      (known[kind], spent[kind]) = (0, 0)
      presumed[kind] = all[kind] * Self.presumption[kind] + 0.000_001
    }
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
}

// What was done, and what remains.
extension RunFraction {
  /// Notes what was done since the last event that showed any work, and how long it took.
  private mutating func measure(_ now: Date) {
    start = start ?? now
    waited += max(0, time.map { now.timeIntervalSince($0) } ?? 0)
    time = now
    guard let current else { return }
    let before = done
    done = sums[current] + units[current].done
    // What is done can be less than it was: an entity may have more objects than were expected.
    let more = pointwiseMax(done - before, .zero)
    guard more.sum() > 0 else { return }
    // What is there at once was done by the run that was interrupted: it says nothing of the pace.
    if waited >= 0.005 || more.sum() <= 0.02 * all.sum() { learn(more, waited) }
    waited = 0
  }

  private mutating func learn(_ more: Work, _ seconds: Double) {
    var took = more * paces
    let rest = took.sum() - took[.scripts]
    if took[.scripts] > 0 {
      // Nothing tells beforehand how slow a script is: it has what the rest leaves.
      took *= min(1, seconds / max(rest, .leastNormalMagnitude))
      took[.scripts] = max(0, seconds - rest)
    } else {
      // What takes far longer than it should may have waited for a lock.
      took *= min(5, seconds / took.sum())
    }
    let kept = 1 - pointwiseMin(.one, more / (all + .leastNormalMagnitude))
    (known, spent) = (known * kept + more, spent * kept + took)
    presumed = presumed * kept + 0.000_000_1
  }

  /// Seconds taken for a second of the estimate, of each kind of work.
  ///
  /// As long as little of a kind is done, its pace is near to what the others let expect.
  private var paces: Work {
    func pace(_ kind: Kind, _ usual: Double) -> Double {
      (spent[kind] + presumed[kind] * usual) / (known[kind] + presumed[kind])
    }
    let plain = pace(.plain, usual)
    let scripts = pace(.scripts, plain)
    // A script that takes longer than was estimated takes that much longer the second time, too;
    // the rest of making an object again is reading it.
    let longer = max(0, scripts - plain) * all[.scripts] / max(0.000_001, all[.repeats])
    let again = max(min(scripts, plain), plain / 2) + longer
    let repeats = pace(.repeats, all[.scripts] > 0 ? again : plain)
    return Work(plain, pace(.disk, plain), scripts, repeats, pace(.copy, usual), 0, 0, 0)
  }

  private mutating func rise() {
    let (paces, left) = (paces, pointwiseMax(all - done, .zero))
    remaining = (left * paces).sum()
    let seconds = secondsDone
    guard seconds > 0 else { return }
    value = max(value, min(0.99, seconds / (seconds + remaining)))
  }

  /// How long what is done took, as far as the run has shown.
  ///
  /// A copy that takes its time does not move the bar ahead of the rest, whose pace is not known.
  private var secondsDone: Double {
    var paces = paces
    paces[.copy] = min(paces[.copy], paces[.plain])
    return pastSeconds + (pointwiseMax(done - past, .zero) * paces).sum()
  }
}

extension RunFraction {
  /// Seconds of each kind of work.
  typealias Work = SIMD8<Double>

  /// Kinds of work, each with its own pace.
  enum Kind: Int {
    case plain
    /// Writing to the disk, and waiting for it.
    case disk
    /// Scripts that make objects, or values of them.
    case scripts
    /// The same a second time, to verify them.
    case repeats
    /// Copying the store that the run reads, with what it waits for: the copy may share blocks with
    /// the store or stay in memory, and says nothing of the rest.
    case copy
  }

  /// A piece of the schedule that reports how far it is.
  struct Unit: Sendable {
    let name: String
    /// The step that it belongs to, if it belongs to one.
    let step: Int?
    /// What is not counted by entity; where objects are made, it comes before them.
    var base = Work.zero
    /// Objects that are made, or made again, by entity.
    var entities: [String: Work] = [:]
    /// Whether they are made again.
    var repeats = false
    /// Looking at entities, each of which is reported once it was looked at.
    var looks: [String: Work] = [:]
    /// How much of the base is done as each of its parts begins, where these are unequal.
    var course: [Work] = []
    /// The objects of each entity, where events do not say it.
    var counts: [String: Int] = [:]
    var isFinished = false

    /// How much of the base is done.
    private var share = Work.zero
    private var looked: Set<String> = []
    /// How far each entity is.
    private var parts: [String: Part] = [:]
    /// The work of these parts and looks that is done: events are as many as entities, so that it
    /// is not added up for each.
    private var made = Work.zero
    /// The objects that are made, and how many there are in all.
    private(set) var objects = (done: 0, all: 0)

    private struct Part {
      var done = 0
      var total = 0

      var share: Double { min(1, max(0, Double(done) / Double(max(1, total)))) }
    }

    init(name: String, step: Int?, base: Work = .zero) {
      (self.name, self.step, self.base) = (name, step, base)
    }

    var all: Work {
      entities.values.reduce(.zero, +) + looks.values.reduce(.zero, +) + base
    }

    var done: Work { isFinished ? all : made + share }

    /// Takes a report of how far it is.
    mutating func note(_ event: ProgressEvent) {
      if let entity = event.entity, let work = entities[entity], event.isRepeated == repeats {
        let total = event.total ?? max(event.rows, counts[entity] ?? 0)
        let old = parts[entity] ?? Part()
        let new = Part(done: event.rows, total: max(total, old.total))
        parts[entity] = new
        made += work * (new.share - old.share)
        objects = (objects.done + new.done - old.done, objects.all + new.total - old.total)
        share = base
      } else if let entity = event.entity, let work = looks[entity] {
        if looked.insert(entity).inserted { made += work }
      } else if let last = course.last {
        let now = course.indices.contains(event.rows) ? course[event.rows] : last
        share = pointwiseMax(share, now)
      } else if entities.isEmpty, looks.isEmpty, let total = event.total {
        // Whatever else an event of a unit that makes objects names is not of its parts.
        share = pointwiseMax(share, base * min(1, Double(event.rows) / Double(max(1, total))))
      }
    }
  }
}

extension SIMD8<Double> {
  init(_ kind: RunFraction.Kind, _ seconds: Double) {
    self = .zero
    self[kind] = seconds
  }

  subscript(kind: RunFraction.Kind) -> Double {
    get { self[kind.rawValue] }
    set { self[kind.rawValue] = newValue }
  }
}
