import Testing

@testable import Benchmarks

@Suite("A goal") struct GoalTests {
  @Test(
    "the median counts, or the worst where that is said",
    arguments: [
      (Goal.Sense.atMost, false, 2.0), (.atMost, true, 2.2), (.atLeast, false, 2),
      (.atLeast, true, 1.8),
    ])
  func figure(_ sense: Goal.Sense, _ countsWorst: Bool, _ figure: Double) {
    var goal = Self.goal(sense, 1.8, 2, 2.2)
    goal.countsWorst = countsWorst
    #expect(goal.figure == figure)
    #expect(goal.isReached == !countsWorst)
  }

  @Test(
    "it is reached when no round misses it by more than 15 %",
    arguments: [(Goal.Sense.atMost, 2.0, 2.4), (.atLeast, 1.7, 2)])
  func worst(_ sense: Goal.Sense, _ min: Double, _ max: Double) {
    #expect(Self.goal(sense, min, 2, max).isReached == false)
    #expect(Self.goal(sense, 1.9, 2, 2.1).isReached == true)
  }

  @Test("what misses it is a part of the goal, in either sense")
  func miss() throws {
    #expect(try abs(#require(Self.goal(.atMost, 2.5, 2.5, 2.5).miss) - 0.25) < 1e-9)
    #expect(try abs(#require(Self.goal(.atLeast, 1.6, 1.6, 1.6).miss) - 0.25) < 1e-9)
    #expect(try #require(Self.goal(.atMost, 1, 1, 1).miss) < 0)
  }

  @Test("what was not measured is neither reached nor missed")
  func unmeasured() {
    let goal = Self.goal(.failure(.lack("no strace")))
    #expect(goal.isReached == nil)
    #expect(goal.miss == nil)
    #expect(goal.why == .lack("no strace"))
  }

  @Test("its number and its id mean it, in either case")
  func called() {
    let goal = Self.goal(.failure(.lack("")))
    #expect(goal.number == "P13")
    for word in ["P13", "p13 m1", "P13 M1"] { #expect(goal.isCalled(word)) }
    for word in ["P1", "M1", "P13 M", ""] { #expect(!goal.isCalled(word)) }
  }

  @Test("it says what is wanted")
  func text() {
    #expect(Self.goal(.atMost, 1, 1, 1).text == "<= 2.00")
    #expect(Self.goal(.atLeast, 1, 1, 1).text == ">= 2.00")
    var goal = Self.goal(.atMost, 1, 1, 1)
    goal.unit = "MiB"
    #expect(goal.text == "<= 2.00 MiB")
  }

  private static func goal(
    _ sense: Goal.Sense, _ min: Double, _ median: Double, _ max: Double
  ) -> Goal {
    var goal = goal(Spread(of: [min, median, max]).map { .success($0) } ?? .failure(.lack("")))
    goal.sense = sense
    return goal
  }

  private static func goal(_ outcome: Result<Spread, BenchError>) -> Goal {
    Goal(
      id: "P13 M1", measure: "", method: .trace, parts: ["M1 traced"], limit: 2, outcome: outcome)
  }
}
