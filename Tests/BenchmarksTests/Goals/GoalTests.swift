import Testing

@testable import Benchmarks

@Suite("A goal") struct GoalTests {
  @Test(
    "the median counts, or the worst where that is said",
    arguments: [
      (Goal.Sense.atMost, false, true), (.atMost, true, false), (.atLeast, false, true),
      (.atLeast, true, false),
    ])
  func reached(_ sense: Goal.Sense, _ countsWorst: Bool, _ isReached: Bool) {
    var goal = Goal(id: "P", measure: "", sense: sense, limit: 2, spread: Spread(of: [1, 2, 3]))
    goal.countsWorst = countsWorst
    #expect(goal.isReached == isReached)
  }

  @Test("what was not measured is neither reached nor missed")
  func unmeasured() {
    #expect(Goal(id: "P", measure: "", limit: 1).isReached == nil)
  }

  @Test("it says what is wanted")
  func text() {
    #expect(Goal(id: "P1", measure: "", limit: 0.35).text == "<= 0.35")
    #expect(Goal(id: "P5", measure: "", sense: .atLeast, limit: 20).text == ">= 20.0")
    #expect(Goal(id: "P8", measure: "", limit: 40, unit: "MiB").text == "<= 40.0 MiB")
  }
}
