/// Compares what was measured with the goals that were reached once.
struct GoalGuard {
  /// Goals that were reached once and are missed by more than 15 %, or whose run failed.
  let lost: [Goal]
  /// Goals that were reached once and cannot be measured here.
  let unknown: [Goal]
  /// Goals that are reached for the first time.
  let gained: [Goal]

  /// Compares goals with the list of those that were reached.
  init(_ goals: [Goal], _ record: Record) {
    let kept = goals.filter { record.ids.contains($0.id) }
    unknown = kept.filter { $0.why?.isLack == true }
    lost = kept.filter { goal in
      goal.miss.map { $0 > Goal.tolerance } ?? (goal.why?.isLack == false)
    }
    gained = goals.filter { $0.isReached == true && !record.ids.contains($0.id) }
  }

  /// What the benchmarks end with.
  var status: Int32 { lost.isEmpty ? 0 : 1 }

  /// A line for each goal that is lost or unknown, and one for those that are new.
  var lines: [String] {
    let lost = lost.map { goal in
      guard let figure = goal.figure, let miss = goal.miss else {
        return "\(goal.id) was reached once, and its run failed now"
      }
      return "\(goal.id) was reached once and is missed by \(Int((miss * 100).rounded())) %: "
        + "\(Format.number(figure)), not \(goal.text)"
    }
    let unknown = unknown.map { "\($0.id) was reached once and is not measured now" }
    guard !gained.isEmpty else { return lost + unknown }
    let names = gained.map(\.id).joined(separator: ", ")
    return lost + unknown + ["Reached for the first time, for `BENCH=record` to keep: \(names)"]
  }
}
