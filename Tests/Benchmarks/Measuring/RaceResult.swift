/// What came of a race.
struct RaceResult {
  /// What was run.
  var race: Race
  /// By the name of each that was run, one a round.
  var measurements: [String: [Measurement]] = [:]
  /// Those that were not, each with the reason.
  var missing: [(name: String, why: BenchError)] = []

  /// The time of one over that of another, or of the baseline, round by round.
  func ratio(
    _ name: String, over other: String? = nil, of time: KeyPath<Measurement, Double> = \.seconds
  ) -> Spread? {
    Spread.ratios(times(of: name, time), over: times(of: other ?? race.baseline, time))
  }

  /// The time of a part of one over that of the baseline.
  func ratio(ofPart part: String, of name: String) -> Spread? {
    let times = (measurements[name] ?? []).compactMap { $0.parts[part] }
    return Spread.ratios(times, over: self.times(of: race.baseline))
  }

  /// How long one took in each round.
  func times(
    of name: String, _ time: KeyPath<Measurement, Double> = \.seconds
  ) -> [Double] {
    (measurements[name] ?? []).map { $0[keyPath: time] }
  }

  /// Why there is nothing of one.
  func lack(of name: String) -> BenchError? { missing.first { $0.name == name }?.why }
}
