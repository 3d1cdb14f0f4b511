/// The goals, P1 to P12.
extension Findings {
  /// Each goal with what was reached.
  var goals: [Goal] { ratios + wholes }

  /// Those that are one command's time over another's.
  private var ratios: [Goal] {
    [
      ratio("P1", "M1", Names.staged, atMost: 0.35),
      ratio("P2", "M1", Names.complete, atMost: 1),
      ratio("P3", "M2", Names.one, atMost: 0.6),
      ratio("P4", "M2", Names.two, atMost: 0.35),
      faster(),
      ratio("P6", "M3", Names.staged, atMost: 1.2),
      ratio("P7", "M3 thumbnails", Names.staged, atMost: 0.75),
    ]
  }

  private var wholes: [Goal] {
    [
      Goal(
        id: "P8", measure: "memory at most, of all that ours did", limit: 40, unit: "MiB",
        spread: peaks, why: "nothing of ours was run", countsWorst: true),
      Goal(
        id: "P9", measure: growthMeasure, limit: 1.15, spread: growth?.ratio,
        why: "only with the part 'growth'"),
      verification(),
      counted(),
      ratio("P12", "M1", Names.dryRun, over: Names.complete, atMost: 1.5),
    ]
  }

  private func ratio(
    _ id: String, _ race: String, _ name: String, over other: String? = nil, atMost limit: Double
  ) -> Goal {
    let result = self[race]
    let base = other ?? result?.race.baseline ?? "another"
    return Goal(
      id: id, measure: "\(race): \(name) / \(base)", limit: limit,
      spread: result?.ratio(name, over: base), why: lack(race, [name, base]))
  }

  private func faster() -> Goal {
    let others = self["M2"]
    return Goal(
      id: "P5", measure: "M2: \(Names.sqliteUtils) / \(Names.one)", sense: .atLeast, limit: 20,
      spread: others?.ratio(Names.sqliteUtils, over: Names.one),
      why: lack("M2", [Names.sqliteUtils, Names.one]))
  }

  private func verification() -> Goal {
    Goal(
      id: "P10", measure: "M1: the stage verify / \(Names.insertSelect)", limit: 0.3,
      spread: self["M1"]?.ratio(ofPart: "verify", of: Names.complete),
      why: lack("M1", [Names.complete, Names.insertSelect]))
  }

  private func counted() -> Goal {
    var goal = Goal(
      id: "P11", measure: "M2: a row's instructions / of \(Names.c)", limit: 1.1)
    switch instructions {
    case .success(let ratio)?: goal.spread = Spread(of: [ratio])
    case .failure(let error)?: goal.why = "\(error)"
    case nil: goal.why = "only with BENCH=full or FILTER=instructions"
    }
    return goal
  }

  private var growthMeasure: String {
    guard let points = growth?.points(of: "M1"), let first = points.first, let last = points.last
    else { return "a row's time in the largest store / in the smallest" }
    return "a row's time, \(last.rows) rows / \(first.rows) rows"
  }

  private func lack(_ race: String, _ names: [String]) -> String {
    guard let result = self[race] else { return "only with the part '\(race)'" }
    return names.compactMap { name in result.lack(of: name).map { "\(name): \($0)" } }.first
      ?? "nothing was measured"
  }
}
