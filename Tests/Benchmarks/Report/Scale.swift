import Foundation

/// Where a number stands on a line whose equal steps are equal factors.
struct Scale {
  private let numbers: ClosedRange<Double>
  private let places: ClosedRange<Double>

  /// A line that holds all these numbers, from a power of ten to another; those not above 0 are
  /// left out.
  init(of numbers: [Double], on places: ClosedRange<Double>) {
    let logs = numbers.filter { $0 > 0 && $0.isFinite }.map(log10)
    let first = (logs.min() ?? 0).rounded(.down)
    let last = max((logs.max() ?? 1).rounded(.up), first + 1)
    self.numbers = first...last
    self.places = places
  }

  /// The place of a number.
  func place(_ number: Double) -> Double {
    let share =
      (log10(max(number, .leastNormalMagnitude)) - numbers.lowerBound)
      / (numbers.upperBound - numbers.lowerBound)
    let held = min(max(share, 0), 1)
    return places.lowerBound + held * (places.upperBound - places.lowerBound)
  }

  /// The powers of ten on it.
  var marks: [Double] {
    stride(from: numbers.lowerBound, through: numbers.upperBound, by: 1).map { pow(10, $0) }
  }
}
