/// What each stage of a command took, for people: what the swap and its backup cost is seen here.
struct StageTable {
  private let name: String
  private let measurements: [Measurement]

  /// The stages of a contender; nil of one whose command tells none.
  init?(_ name: String, _ measurements: [Measurement]) {
    guard measurements.contains(where: { !$0.parts.isEmpty }) else { return nil }
    (self.name, self.measurements) = (name, measurements)
  }

  /// A line for each stage, the longest first, and one for what is none: to start, to plan, to end.
  var text: String {
    var table = TextTable([name, "share", "seconds"])
    let whole = measurements.map(\.seconds)
    let stages = Set(measurements.flatMap(\.parts.keys)).sorted().map { stage in
      (name: stage, times: measurements.map { $0.parts[stage] ?? 0 })
    }
    let rest = measurements.map { $0.seconds - $0.parts.values.reduce(0, +) }
    for row in (stages + [(name: "all else", times: rest)]).sorted(by: Self.isLonger) {
      let share = Spread.ratios(row.times, over: whole)?.median
      let time = Spread(of: row.times)?.median
      table.add([row.name] + [share, time].map { $0.map(Format.number) ?? "-" })
    }
    return table.text()
  }

  private typealias Row = (name: String, times: [Double])

  private static func isLonger(_ one: Row, _ other: Row) -> Bool {
    (Spread(of: one.times)?.median ?? 0) > (Spread(of: other.times)?.median ?? 0)
  }
}
