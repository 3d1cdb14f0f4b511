/// Everything that was measured.
struct Findings {
  /// The races that were run, by name.
  var races: [RaceResult] = []
  /// What more rows cost; nil when it was not looked at.
  var growth: Result<Growth, BenchError>?
  /// What more entities cost; nil when it was not looked at.
  var entities: Result<Growth, BenchError>?
  /// A row's instructions over the peer's, or why they were not counted.
  var instructions: Result<Double, BenchError>?
  /// What complete runs asked of the system, by what they migrate.
  var traces: [String: Result<Trace, BenchError>] = [:]
  /// What complete runs held, by what they migrate.
  var watches: [String: Result<Watch, BenchError>] = [:]
  /// How long complete runs said that they would take still, by what they migrate.
  var remaining: [String: Result<Remaining, BenchError>] = [:]
  /// For how many milliseconds a user waits for what is on a screen, by what it is.
  var waits: [String: Result<Spread, BenchError>] = [:]

  /// Whether nothing was measured.
  var isEmpty: Bool {
    races.isEmpty && growth == nil && entities == nil && instructions == nil && traces.isEmpty
      && watches.isEmpty && remaining.isEmpty && waits.isEmpty
  }

  subscript(race: String) -> RaceResult? { races.first { $0.race.name == race } }

  /// The most memory that ours held anywhere, and the least, in MiB.
  var peaks: Spread? {
    let raced = races.flatMap { result in
      result.race.contenders.filter { $0.kind == .ours }.flatMap { contender in
        (result.measurements[contender.name] ?? []).map(\.peak)
      }
    }
    let grown = [growth, entities].flatMap { (try? $0?.get())?.points ?? [] }.map(\.peak)
    let watched = watches.values.compactMap { try? $0.get().measurement.peak }
    return Spread(of: (raced + grown + watched).map { Double($0) / 1_048_576 })
  }
}
