/// What is wanted of a measure, and what was reached.
struct Goal {
  /// Which way is good.
  enum Sense: String {
    case atMost = "<="
    case atLeast = ">="
  }

  /// How a figure comes about.
  enum Method: String {
    /// The time of all processors.
    case processor = "CPU"
    /// The time on the clock.
    case clock = "time"
    /// The calls of a run that strace wrote down.
    case trace = "traced"
    /// The most that was seen, every two milliseconds or by the kernel.
    case watch = "watched"
    /// The instructions that callgrind counted.
    case count = "callgrind"
  }

  /// P1 to P21; where a number has several goals, with a word that distinguishes them.
  var id: String
  /// What is measured, or what is divided by what.
  var measure: String
  /// How it is measured.
  var method: Method
  /// The parts of the benchmarks that it needs.
  var parts: [String]
  /// Which way is good.
  var sense = Sense.atMost
  /// The number wanted.
  var limit: Double
  /// What it is a number of, apart from ratios.
  var unit = ""
  /// Whether the worst round counts, and not the median.
  var countsWorst = false
  /// What came out, or why nothing did.
  var outcome: Result<Spread, BenchError>

  /// By how much a single round may miss the goal, and the figure one that was reached once.
  static let tolerance = 0.15

  /// The number alone.
  var number: String { String(id.prefix { $0 != " " }) }

  /// What came out; nil when it was not measured.
  var spread: Spread? { try? outcome.get() }

  /// Why it was not measured; nil when it was.
  var why: BenchError? {
    guard case .failure(let error) = outcome else { return nil }
    return error
  }

  /// The number that counts.
  var figure: Double? { spread.map { countsWorst ? worst(of: $0) : $0.median } }

  /// The part of the goal by which the figure misses it; not above 0 when it reaches it.
  var miss: Double? { figure.map(excess) }

  /// Whether it was reached, in the worst round nearly; nil when it was not measured.
  var isReached: Bool? {
    guard let spread, let miss else { return nil }
    return miss <= 0 && excess(worst(of: spread)) <= Self.tolerance
  }

  /// Whether a word means it: its id, or its number.
  func isCalled(_ word: String) -> Bool {
    [id, number].contains { $0.lowercased() == word.lowercased() }
  }

  /// The goal as it is printed.
  var text: String {
    let unit = unit.isEmpty ? "" : " \(unit)"
    return "\(sense.rawValue) \(Format.number(limit))\(unit)"
  }

  private func excess(_ figure: Double) -> Double {
    switch sense {
    case .atMost: figure / limit - 1
    case .atLeast: limit / figure - 1
    }
  }

  private func worst(of spread: Spread) -> Double {
    switch sense {
    case .atMost: spread.max
    case .atLeast: spread.min
    }
  }
}
