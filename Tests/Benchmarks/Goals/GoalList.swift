/// The goals, P1 to P21.
extension Findings {
  /// Each goal with what was reached.
  var goals: [Goal] {
    ratios + memory
      + [
        grown("P9 rows", "growth", growth, limit: 1.15),
        grown("P9 entities", "entities", entities, limit: 1.5), verification, counted,
        ratio("P12", "M1", Names.dryRun, over: Names.complete, limit: 1.2),
      ] + traced + disk + small
      + [ratio("P18", "find", Names.find, over: Names.dedupe, limit: 1.5)] + waiting
  }

  private var ratios: [Goal] {
    [
      ratio("P1", "M1", Names.staged, over: Names.insertSelect, limit: 0.38),
      ratio("P2", "M1", Names.complete, over: Names.insertSelect, limit: 0.6),
      ratio("P3", "M2", Names.one, over: Names.c, limit: 0.65),
      ratio("P4", "M2", Names.two, over: Names.c, by: .clock, limit: 0.45),
      ratio("P5", "M1 wide", Names.staged, over: Names.insertSelect, limit: 0.8),
      ratio("P6", "M3", Names.complete, over: Names.copy, limit: 8),
      // Two workers share it.
      ratio("P7", "M3 thumbnails", Names.staged, over: Names.pillow, by: .clock, limit: 0.5),
    ]
  }

  private var memory: [Goal] {
    [
      watch("P8 M1", "M1", "private memory", limit: 8, unit: "MiB", \.own),
      watch(
        "P8 M3", "M3", "private memory with two workers, less two pictures", limit: 12,
        unit: "MiB", \.own),
      Goal(
        id: "P8 RSS", measure: "resident memory of all that ours did", method: .watch,
        parts: ["M1 watched", "M3 watched"], limit: 40, unit: "MiB", countsWorst: true,
        outcome: peaks.map { .success($0) } ?? .failure(.lack("nothing of ours was run"))),
    ]
  }

  private var verification: Goal {
    Goal(
      id: "P10", measure: "M1: the stage verify / \(Names.insertSelect)", method: .clock,
      parts: ["M1"], limit: 0.15,
      outcome: raced("M1", [Names.complete, Names.insertSelect]) {
        $0.ratio(ofPart: "verify", of: Names.complete)
      })
  }

  private var counted: Goal {
    Goal(
      id: "P11", measure: "M2: a row's instructions / of \(Names.c)", method: .count,
      parts: ["instructions"], limit: 0.8,
      outcome: found("instructions", instructions) { Spread(of: [$0]) })
  }

  private var traced: [Goal] {
    let written = [("M1", 2.3), ("M2", 2.4), ("M3", 4.2), ("small", 4)].map { name, limit in
      trace("P13 \(name)", name, "bytes written / bytes of the store", limit: limit) {
        Double($0.written) / Double($0.size)
      }
    }
    let syncs = ["M1", "M2", "M3", "small", "entities"].map { name in
      trace("P14 \(name)", name, "syncs, less one for each 64 MiB written", limit: 24) {
        Double($0.syncs - $0.written / (64 * 1_048_576))
      }
    }
    return written + syncs
  }

  private var disk: [Goal] {
    [("M1", 1.8), ("M3", 3.1)].map { name, limit in
      watch("P15 \(name)", name, "extra disk / bytes of the store", limit: limit, \.extra)
    }
  }

  private var small: [Goal] {
    [
      each("P16 CPU", "small", Names.complete, limit: 25),
      trace("P16 files", "small", "files made", limit: 16) { Double($0.files) },
      each("P17 CPU", "fleet", Names.oneJob, limit: 12),
      ratio("P17 peer", "fleet", Names.oneJob, over: Names.script, limit: 3),
      ratio(
        "P17 jobs", "fleet", Names.oneJob, over: Names.twoJobs, by: .clock, sense: .atLeast,
        limit: 1.8),
    ]
  }
}

// What a user waits for.
extension Findings {
  private var waiting: [Goal] {
    let limits = [("P19 small", 0, 200.0), ("P19 M2", 1, 200), ("P20", 2, 2000)]
    let seen = limits.map { id, place, limit in
      let name = Course.waits[place]
      return Goal(
        id: id, measure: "\(name): until a user sees it", method: .clock, parts: [name],
        limit: limit, unit: "ms", outcome: found(name, waits[name]) { $0 })
    }
    let short = "the run is too short to say anything of its end"
    let ends = Course.timed.map { name in
      let part = "\(name) remaining"
      return Goal(
        id: "P21 \(name)", measure: "\(name), complete: how far off the time said to remain is",
        method: .clock, parts: [part], limit: 0.3,
        outcome: found(part, remaining[name], lack: short) {
          Spread(of: $0.worst.map { [$0] } ?? [])
        })
    }
    return seen + ends
  }
}

// What the goals are built from.
extension Findings {
  private func ratio(
    _ id: String, _ race: String, _ name: String, over other: String,
    by method: Goal.Method = .processor, sense: Goal.Sense = .atMost, limit: Double
  ) -> Goal {
    Goal(
      id: id, measure: "\(race): \(name) / \(other)", method: method, parts: [race], sense: sense,
      limit: limit,
      outcome: raced(race, [name, other]) {
        $0.ratio(name, over: other, of: method == .clock ? \.seconds : \.processor)
      })
  }

  /// The milliseconds of a store by the script for Python where the goals were set.
  ///
  /// A time is given as it would be there.
  private static let usual = 4.0

  private func each(
    _ id: String, _ race: String, _ name: String, limit: Double
  ) -> Goal {
    let script = raced("fleet", [Names.script]) { perStore(Names.script, $0) }
    return Goal(
      id: id, measure: "\(race): a store by \(name), where the script takes \(Int(Self.usual)) ms",
      method: .processor, parts: race == "fleet" ? [race] : [race, "fleet"], limit: limit,
      unit: "ms",
      outcome: script.flatMap { script in
        raced(race, [name]) { perStore(name, $0)?.times(Self.usual / script.median) }
      })
  }

  private func perStore(_ name: String, _ result: RaceResult) -> Spread? {
    let times = result.times(of: name, \.processor)
    return Spread(of: times.map { $0 * 1000 / Double(result.race.stores) })
  }

  private func grown(
    _ id: String, _ part: String, _ growth: Result<Growth, BenchError>?, limit: Double
  ) -> Goal {
    let sizes = (try? growth?.get())?.points.map { Format.count($0.size) } ?? []
    let (most, fewest) = (sizes.last ?? "many", sizes.first ?? "few")
    let kind = part == "growth" ? "rows" : part
    return Goal(
      id: id, measure: "one of \(most) \(kind) / one of \(fewest)", method: .processor,
      parts: [part], limit: limit, outcome: found(part, growth, \.ratio))
  }

  private func trace(
    _ id: String, _ name: String, _ what: String, limit: Double, _ figure: (Trace) -> Double
  ) -> Goal {
    let part = "\(name) traced"
    return Goal(
      id: id, measure: "\(name), complete: \(what)", method: .trace, parts: [part], limit: limit,
      outcome: found(part, traces[name]) { Spread(of: [figure($0)]) })
  }

  private func watch(
    _ id: String, _ name: String, _ what: String, limit: Double, unit: String = "",
    _ figure: (Watch) -> Double?
  ) -> Goal {
    let part = "\(name) watched"
    return Goal(
      id: id, measure: "\(name), complete: \(what)", method: .watch, parts: [part], limit: limit,
      unit: unit,
      outcome: found(part, watches[name]) { watch in figure(watch).flatMap { Spread(of: [$0]) } })
  }

  private func raced(
    _ race: String, _ names: [String], _ spread: (RaceResult) -> Spread?
  ) -> Result<Spread, BenchError> {
    guard let result = self[race] else { return .failure(Self.without(race)) }
    if let spread = spread(result) { return .success(spread) }
    for name in names {
      guard let why = result.lack(of: name) else { continue }
      return .failure(BenchError("\(name): \(why)", isLack: why.isLack))
    }
    return .failure(BenchError("nothing was measured"))
  }

  private func found<Value>(
    _ part: String, _ value: Result<Value, BenchError>?, lack: String = "this system does not say",
    _ spread: (Value) -> Spread?
  ) -> Result<Spread, BenchError> {
    guard let value else { return .failure(Self.without(part)) }
    return value.flatMap { value in
      guard let spread = spread(value) else { return .failure(.lack(lack)) }
      return .success(spread)
    }
  }

  private static func without(_ part: String) -> BenchError {
    .lack("only with the part '\(part)'")
  }
}
