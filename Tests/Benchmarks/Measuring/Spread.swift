/// The middle and both ends of some numbers.
struct Spread: Equatable {
  var median: Double
  var min: Double
  var max: Double

  /// nil of no numbers.
  init?(of numbers: [Double]) {
    let sorted = numbers.sorted()
    guard let first = sorted.first, let last = sorted.last else { return nil }
    let middle = sorted.count / 2
    median =
      sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    (min, max) = (first, last)
  }

  /// The same in another unit.
  func times(_ factor: Double) -> Spread {
    var spread = self
    (spread.median, spread.min, spread.max) = (median * factor, min * factor, max * factor)
    return spread
  }

  /// What the first takes, measured by the second in the same round; of each round one ratio.
  static func ratios(_ numbers: [Double], over others: [Double]) -> Spread? {
    Spread(of: zip(numbers, others).filter { $1 > 0 }.map { $0 / $1 })
  }
}
