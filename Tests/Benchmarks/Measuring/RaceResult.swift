/// What came of a race.
struct RaceResult {
  /// What was run.
  var race: Race
  /// By the name of each that was run, one a round.
  var measurements: [String: [Measurement]] = [:]
  /// Those that were not, each with the reason.
  var missing: [(name: String, why: String)] = []

  /// The time of one over that of another, or of the baseline, round by round.
  func ratio(_ name: String, over other: String? = nil) -> Spread? {
    Spread.ratios(seconds(of: name), over: seconds(of: other ?? race.baseline))
  }

  /// The time of a part of one over that of the baseline.
  func ratio(ofPart part: String, of name: String) -> Spread? {
    let times = (measurements[name] ?? []).compactMap { $0.parts[part] }
    return Spread.ratios(times, over: seconds(of: race.baseline))
  }

  /// How long one took in each round.
  func seconds(of name: String) -> [Double] { (measurements[name] ?? []).map(\.seconds) }

  /// Why there is nothing of one.
  func lack(of name: String) -> String? { missing.first { $0.name == name }?.why }
}
