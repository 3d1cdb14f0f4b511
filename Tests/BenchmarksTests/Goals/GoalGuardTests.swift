import Foundation
import TestSupport
import Testing

@testable import Benchmarks

@Suite("The guard of the goals", .temporaryFolder) struct GoalGuardTests {
  @Test(
    "a goal that was reached once may be missed by 15 %, not by more",
    arguments: [(Goal.Sense.atMost, 2.29, 2.32), (.atLeast, 1.75, 1.73)])
  func tolerance(_ sense: Goal.Sense, _ near: Double, _ far: Double) throws {
    let record = try record(["P1"])
    #expect(GoalGuard([goal("P1", sense, near)], record).status == 0)
    let comparison = GoalGuard([goal("P1", sense, far)], record)
    #expect(comparison.status == 1)
    #expect(comparison.lost.map(\.id) == ["P1"])
    #expect(comparison.lines.count == 1)
    #expect(comparison.lines[0].hasPrefix("P1 was reached once and is missed by 16 %: "))
  }

  @Test("a goal that was never reached may be missed by any part")
  func never() throws {
    let comparison = try GoalGuard([goal("P1", .atMost, 100)], record(["P2"]))
    #expect(comparison.status == 0)
    #expect(comparison.lines.isEmpty)
  }

  @Test("one that cannot be measured here is named, and is no failure")
  func lack() throws {
    let comparison = try GoalGuard([goal("P1", .failure(.lack("no strace")))], record(["P1"]))
    #expect(comparison.status == 0)
    #expect(comparison.lines == ["P1 was reached once and is not measured now"])
  }

  @Test("one whose run failed is lost")
  func failed() throws {
    let comparison = try GoalGuard([goal("P1", .failure(BenchError("status 3")))], record(["P1"]))
    #expect(comparison.status == 1)
    #expect(comparison.lines == ["P1 was reached once, and its run failed now"])
  }

  @Test("those that are reached for the first time are named; one that is missed a little is not")
  func gained() throws {
    let goals = [
      goal("P1", .atMost, 1), goal("P2", .atMost, 2), goal("P3", .atMost, 2.1),
      goal("P4", .atMost, 1),
    ]
    let comparison = try GoalGuard(goals, record(["P4"]))
    #expect(comparison.gained.map(\.id) == ["P1", "P2"])
    #expect(comparison.lines.count == 1)
    #expect(comparison.lines[0].hasSuffix(": P1, P2"))
    #expect(comparison.status == 0)
  }

  private func goal(_ id: String, _ sense: Goal.Sense, _ figure: Double) -> Goal {
    var goal = goal(id, Spread(of: [figure]).map { .success($0) } ?? .failure(.lack("")))
    goal.sense = sense
    return goal
  }

  private func goal(_ id: String, _ outcome: Result<Spread, BenchError>) -> Goal {
    Goal(id: id, measure: "", method: .processor, parts: [], limit: 2, outcome: outcome)
  }

  private func record(_ ids: [String]) throws -> Record {
    let file = TemporaryFolder.url.appending(path: "reached.json")
    let names = ids.map { "\"\($0)\"" }.joined(separator: ", ")
    try Data("[\(names)]".utf8).write(to: file)
    return try Record(reading: file.path)
  }
}
