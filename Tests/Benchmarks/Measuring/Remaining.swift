import Formats
import Foundation

/// How far off the time was that a run said would remain, as its events tell.
struct Remaining {
  /// The seconds of the run.
  let seconds: Double
  /// At the end of each tenth but the last: by how much of what did remain it was off; nil where
  /// the run said nothing.
  let errors: [Double?]
  /// Whether the bar went back anywhere.
  let fell: Bool

  /// The worst of them.
  var worst: Double? { errors.compactMap { $0.map(abs) }.max() }

  /// The figures of the lines of an events file; nil where it has no two events.
  init?(reading lines: String) {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let events = lines.split(separator: "\n").compactMap { line -> Event? in
      guard let event = try? JSONValue(reading: Array(line.utf8)),
        let time = (event["time"]?.string).flatMap({ try? style.parse($0) })
      else { return nil }
      return Event(
        time: time, remaining: event["remaining"].flatMap(Self.number),
        fraction: event["fraction"].flatMap(Self.number))
    }
    guard let first = events.first?.time, let last = events.last?.time, last > first else {
      return nil
    }
    seconds = last.timeIntervalSince(first)
    let fractions = events.compactMap(\.fraction)
    fell = fractions != fractions.sorted()
    errors = (1...9).map { [seconds] tenth in
      let now = first.addingTimeInterval(seconds * Double(tenth) / 10)
      guard let event = events.last(where: { $0.time <= now }), let said = event.remaining
      else { return nil }
      // A terminal counts down between two events, and says nothing of the last two seconds.
      let shown = said - now.timeIntervalSince(event.time)
      return shown >= 2 ? shown / last.timeIntervalSince(now) - 1 : nil
    }
  }

  private static func number(_ value: JSONValue) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .real(let number): number
    default: nil
    }
  }

  private struct Event {
    let time: Date
    let remaining: Double?
    let fraction: Double?
  }
}
