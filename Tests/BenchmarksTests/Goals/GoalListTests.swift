import Foundation
import Testing

@testable import Benchmarks

@Suite("The goals P1 to P12") struct GoalListTests {
  @Test("there are twelve, in order")
  func all() {
    #expect(Findings().goals.map(\.id) == (1...12).map { "P\($0)" })
  }

  @Test("where nothing was measured each says why")
  func nothing() {
    for goal in Findings().goals {
      #expect(goal.spread == nil)
      #expect(goal.why?.isEmpty == false)
    }
  }

  @Test("what was measured is divided by what the goal names")
  func measured() throws {
    let goals = Dictionary(uniqueKeysWithValues: Sample.findings.goals.map { ($0.id, $0) })
    #expect(goals["P1"]?.spread == Spread(of: [0.5, 0.5]))
    #expect(goals["P1"]?.isReached == false)
    #expect(goals["P2"]?.spread == Spread(of: [2, 2]))
    // The stage verify of the complete run, over the same baseline.
    #expect(goals["P10"]?.spread == Spread(of: [0.25, 0.25]))
    #expect(goals["P10"]?.isReached == true)
    #expect(goals["P8"]?.spread?.max == 41)
    #expect(goals["P8"]?.isReached == false)
    #expect(goals["P11"]?.spread?.median == 1.05)
    #expect(goals["P12"]?.why == "\(Names.dryRun): this build has no --dry-run")
  }
}

/// Findings as a small run may have them.
enum Sample {
  static var findings: Findings {
    let names = [Names.insertSelect, Names.staged, Names.complete, Names.dryRun]
    let contenders = names.enumerated().map { number, name in
      Contender(name: name, kind: number > 0 ? .ours : .peer, command: { _ in [] })
    }
    let race = Race(
      name: "M1", title: "M1 <a> & b", source: URL(filePath: "/nowhere"),
      baseline: Names.insertSelect, contenders: contenders, check: ContentCheck(tables: []))
    var result = RaceResult(race: race)
    for (name, seconds, peak) in [(names[0], 2.0, 90), (names[1], 1, 40), (names[2], 4, 41)] {
      let one = Measurement(
        seconds: seconds, processor: seconds / 2, peak: peak * 1_048_576, written: 1_048_576,
        parts: name == Names.complete ? ["verify": 0.5] : [:])
      result.measurements[name] = [one, one]
    }
    result.missing = [(Names.dryRun, "this build has no --dry-run")]
    let points = [100, 1000, 10_000].map { rows in
      Growth.Point(migration: "M1", rows: rows, secondsPerRow: [2e-6], peak: 30 * 1_048_576)
    }
    return Findings(races: [result], growth: Growth(points: points), instructions: .success(1.05))
  }
}
