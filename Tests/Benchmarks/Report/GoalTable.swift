/// The goals and what was reached, for people.
struct GoalTable {
  private let goals: [Goal]

  init(_ goals: [Goal]) { self.goals = goals }

  /// A line for each goal; below, why those without a figure have none.
  var text: String { ([rows.text(lastIsText: true)] + missing).joined(separator: "\n") }

  /// A line for each goal.
  var rows: TextTable {
    var table = TextTable(["", "goal", "figure", "min", "max", "", "by", "measure"])
    for goal in goals {
      let numbers = [goal.figure, goal.spread?.min, goal.spread?.max]
      table.add(
        [goal.id, goal.text] + numbers.map { $0.map(Format.number) ?? "-" }
          + [Self.verdict(goal), goal.method.rawValue, goal.measure])
    }
    return table
  }

  /// Why those without a figure have none.
  var missing: [String] {
    goals.compactMap { goal in goal.why.map { "\(goal.id) not measured: \($0)" } }
  }

  private static func verdict(_ goal: Goal) -> String {
    goal.isReached.map { $0 ? "reached" : "MISSED" } ?? "not measured"
  }
}
