/// What is wanted of a measure, and what was reached.
struct Goal {
  /// Which way is good.
  enum Sense: String {
    case atMost = "<="
    case atLeast = ">="
  }

  /// P1 to P12.
  var id: String
  /// What is divided by what.
  var measure: String
  /// Which way is good.
  var sense = Sense.atMost
  /// The number wanted.
  var limit: Double
  /// What it is a number of, apart from times.
  var unit = ""
  /// What came out; nil when it was not measured.
  var spread: Spread?
  /// Why it was not.
  var why: String?
  /// Whether the worst round counts, and not the median.
  var countsWorst = false

  /// Whether it was reached; nil when it was not measured.
  var isReached: Bool? {
    guard let spread else { return nil }
    return switch sense {
    case .atMost: (countsWorst ? spread.max : spread.median) <= limit
    case .atLeast: (countsWorst ? spread.min : spread.median) >= limit
    }
  }

  /// The goal as it is printed.
  var text: String {
    let unit = unit.isEmpty ? "" : " \(unit)"
    return "\(sense.rawValue) \(Format.number(limit))\(unit)"
  }
}
