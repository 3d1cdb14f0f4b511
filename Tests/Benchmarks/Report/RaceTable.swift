import Foundation

/// What came of a race, for people.
struct RaceTable {
  private let result: RaceResult

  init(_ result: RaceResult) { self.result = result }

  /// A heading, a line for each that was run, and one for each that was not; then the stages of
  /// those that tell of them.
  var text: String { ([heading, rows.text()] + missing + stages).joined(separator: "\n") }

  /// A line for each that was run.
  var rows: TextTable {
    var table = TextTable([
      "", "ratio", "min", "max", "seconds", "cpu", "peak MiB", "written MiB",
    ])
    for contender in result.race.contenders {
      guard let measurements = result.measurements[contender.name] else { continue }
      table.add([contender.name] + cells(contender.name, measurements))
    }
    return table
  }

  /// Why the others were not.
  var missing: [String] {
    result.missing.map { "not measured: \($0.name): \($0.why)" }
  }

  private var stages: [String] {
    result.race.contenders.compactMap { contender in
      StageTable(contender.name, result.measurements[contender.name] ?? []).map { "\n" + $0.text }
    }
  }

  private var heading: String {
    let rounds = result.measurements.values.map(\.count).max() ?? 0
    return "\(result.race.title)\n\(rounds) rounds, each time over that of: "
      + result.race.baseline
  }

  private func cells(_ name: String, _ measurements: [Measurement]) -> [String] {
    let ratio = result.ratio(name)
    let ratios = [ratio?.median, ratio?.min, ratio?.max]
    let times = [
      Spread(of: measurements.map(\.seconds))?.median,
      Spread(of: measurements.map(\.processor))?.median,
    ]
    return (ratios + times).map { $0.map(Format.number) ?? "-" }
      + [
        Format.mebibytes(measurements.map(\.peak).max() ?? 0),
        Format.mebibytes(measurements.map(\.written).max() ?? 0),
      ]
  }
}
