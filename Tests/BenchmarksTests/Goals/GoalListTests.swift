import Foundation
import Testing

@testable import Benchmarks

@Suite("The goals P1 to P21") struct GoalListTests {
  @Test("every number is there, in order, and no id twice")
  func all() {
    let goals = Findings().goals
    let numbers = goals.map(\.number).reduce(into: [String]()) { numbers, number in
      if numbers.last != number { numbers.append(number) }
    }
    #expect(numbers == (1...21).map { "P\($0)" })
    #expect(Set(goals.map(\.id)).count == goals.count)
  }

  @Test("each names parts that there are")
  func parts() {
    for goal in Findings().goals {
      #expect(!goal.parts.isEmpty)
      #expect(Set(goal.parts).isSubset(of: Bench.parts), "\(goal.id)")
    }
  }

  @Test("where nothing was measured each says why, and that nothing failed")
  func nothing() {
    for goal in Findings().goals {
      #expect(goal.why?.description.isEmpty == false)
      #expect(goal.why?.isLack == true)
    }
  }

  @Test(
    "what was measured is divided by what the goal names",
    arguments: [
      // Of the processors' time, not of that on the clock.
      ("P1", 0.25, true), ("P2", 1, false),
      // The stage verify of the complete run, over the same baseline.
      ("P10", 0.25, false), ("P8 RSS", 41, false), ("P9 rows", 1, true), ("P11", 1.05, false),
      ("P13 M1", 128, false), ("P14 M1", 18, true), ("P15 M1", 1.5, true), ("P8 M1", 9, false),
    ])
  func measured(_ id: String, _ figure: Double, _ isReached: Bool) throws {
    let goal = try #require(Sample.findings.goals.first { $0.id == id })
    #expect(goal.figure == figure)
    #expect(goal.isReached == isReached)
  }

  @Test("a store takes its share of the time, as it would where the script takes 4 ms for one")
  func fleet() throws {
    var race = try #require(Sample.findings.races.first).race
    (race.name, race.contenders, race.stores) = ("fleet", [], 50)
    let took = { (seconds: Double) in
      Measurement(seconds: seconds, processor: seconds, peak: 1, written: 1)
    }
    let many = RaceResult(
      race: race, measurements: [Names.script: [took(0.5)], Names.oneJob: [took(1)]])
    (race.name, race.stores) = ("small", 1)
    let one = RaceResult(race: race, measurements: [Names.complete: [took(0.06)]])
    let goals = Findings(races: [many, one]).goals
    #expect(goals.first { $0.id == "P17 CPU" }?.figure == 8)
    #expect(goals.first { $0.id == "P17 CPU" }?.unit == "ms")
    #expect(goals.first { $0.id == "P16 CPU" }?.figure == 24)
    let alone = Findings(races: [one]).goals.first { $0.id == "P16 CPU" }
    #expect(alone?.why == .lack("only with the part 'fleet'"))
  }

  @Test("what a user waits for has a limit, and so has what a run says of its end")
  func waiting() throws {
    var findings = Findings()
    findings.waits["small saved"] = .success(try #require(Spread(of: [90, 110, 100])))
    findings.waits["changes opened"] = .success(try #require(Spread(of: [2400])))
    for (name, said) in [("M1", 12.0), ("M3", 1)] {
      let lines = """
        {"time":"2026-01-01T00:00:00.000Z","fraction":0,"remaining":\(said)}
        {"time":"2026-01-01T00:00:10.000Z","fraction":1,"remaining":0}
        """
      findings.remaining[name] = .success(try #require(Remaining(reading: lines)))
    }
    let goals = findings.goals
    func goal(_ id: String) -> Goal? { goals.first { $0.id == id } }
    #expect(goal("P19 small")?.isReached == true && goal("P20")?.isReached == false)
    #expect(goal("P21 M1")?.isReached == false)
    #expect(goal("P21 M3")?.why?.description.contains("too short") == true)
  }

  @Test("ours that failed is a failure of the goal, a missing tool is a lack")
  func reasons() throws {
    var findings = Sample.findings
    findings.traces["M2"] = .failure(BenchError("status 3: no room"))
    let goals = findings.goals
    #expect(goals.first { $0.id == "P13 M2" }?.why?.isLack == false)
    let dryRun = goals.first { $0.id == "P12" }?.why
    #expect(dryRun == .lack("\(Names.dryRun): this build has no --dry-run"))
  }

  @Test("memory that the system does not tell is not measured")
  func unknownMemory() {
    var findings = Sample.findings
    findings.watches["M1"] = .success(
      Watch(
        size: 1,
        measurement: Measurement(
          seconds: 1, processor: 1, peak: 1, written: 1, extra: 1, own: 0)))
    let goal = findings.goals.first { $0.id == "P8 M1" }
    #expect(goal?.why == .lack("this system does not say"))
  }
}

/// Findings as a small run may have them.
enum Sample {
  static let p1 = "M1: \(Names.staged) / \(Names.insertSelect)"
  private static let mebibyte = 1_048_576

  static var findings: Findings {
    var findings = Findings(races: [race])
    let points = [100, 1000, 10_000].map { size in
      Growth.Point(migration: "M1", size: size, share: [2e-6], peak: 30 * mebibyte)
    }
    findings.growth = .success(Growth(points: points))
    findings.instructions = .success(1.05)
    findings.traces["M1"] = .success(trace)
    let measurement = Measurement(
      seconds: 1, processor: 1, peak: 39 * mebibyte, written: 0, extra: 3 * mebibyte / 2,
      own: 10 * mebibyte)
    findings.watches["M1"] = .success(
      Watch(size: mebibyte, allowance: mebibyte, measurement: measurement))
    return findings
  }

  private static var race: RaceResult {
    let names = [Names.insertSelect, Names.staged, Names.complete, Names.dryRun]
    let contenders = names.enumerated().map { number, name in
      Contender(name: name, kind: number > 0 ? .ours : .peer, command: { _ in [] })
    }
    let race = Race(
      name: "M1", title: "M1 <a> & b", source: URL(filePath: "/nowhere"),
      baseline: Names.insertSelect, contenders: contenders, check: ContentCheck(tables: []))
    var result = RaceResult(race: race)
    for (name, seconds, processor, peak) in [
      (names[0], 2.0, 2.0, 90), (names[1], 1, 0.5, 40), (names[2], 4, 2, 41),
    ] {
      let one = Measurement(
        seconds: seconds, processor: processor, peak: peak * mebibyte, written: mebibyte,
        parts: name == Names.complete ? ["verify": 0.5] : [:])
      result.measurements[name] = [one, one]
    }
    result.missing = [(Names.dryRun, .lack("this build has no --dry-run"))]
    return result
  }

  private static var trace: Trace {
    var trace = Trace(of: mebibyte)
    (trace.written, trace.read) = (128 * mebibyte, 3 * mebibyte)
    (trace.syncs, trace.files) = (20, 7)
    return trace
  }
}
