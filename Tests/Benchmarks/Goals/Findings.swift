/// Everything that was measured.
struct Findings {
  /// The races that were run, by name.
  var races: [RaceResult] = []
  /// What growing costs; nil when it was not looked at.
  var growth: Growth?
  /// A row's instructions over the peer's, or why they were not counted.
  var instructions: Result<Double, BenchError>?

  /// Whether nothing was measured.
  var isEmpty: Bool { races.isEmpty && growth == nil && instructions == nil }

  subscript(race: String) -> RaceResult? { races.first { $0.race.name == race } }

  /// The most memory that ours held anywhere, and the least.
  var peaks: Spread? {
    let measured = races.flatMap { result in
      result.race.contenders.filter { $0.kind == .ours }.flatMap { contender in
        (result.measurements[contender.name] ?? []).map(\.peak)
      }
    }
    return Spread(
      of: (measured + (growth?.points ?? []).map(\.peak)).map { Double($0) / 1_048_576 })
  }
}
