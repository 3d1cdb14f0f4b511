/// The goals and what was reached, for people.
struct GoalTable {
  private let goals: [Goal]

  init(_ goals: [Goal]) { self.goals = goals }

  /// A line for each goal; below, why those without a figure have none.
  var text: String {
    var table = TextTable(["", "goal", "median", "min", "max", "reached", "measure"])
    for goal in goals {
      let spread = [goal.spread?.median, goal.spread?.min, goal.spread?.max]
      let reached = goal.isReached.map { $0 ? "yes" : "NO" } ?? "-"
      table.add(
        [goal.id, goal.text] + spread.map { $0.map(Format.number) ?? "-" }
          + [reached, goal.measure])
    }
    let missing = goals.filter { $0.spread == nil }.map { goal in
      "\(goal.id) not measured: \(goal.why ?? "no reason is known")"
    }
    return ([table.text(lastIsText: true)] + missing).joined(separator: "\n")
  }
}
