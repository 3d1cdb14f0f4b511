import Foundation

/// All modes one after the other.
struct Campaign {
  let scratch: URL
  private(set) var scores: [Score] = []

  init(scratch: URL) { self.scratch = scratch }

  /// Every call of a bench, or every so many.
  mutating func every(_ step: Int, _ mode: Mode, _ name: String, _ bench: Bench) {
    let points = Array(stride(from: 1, through: bench.calls.count, by: step))
    let failures = Workers.map(points, in: scratch) { point, folder in
      do {
        return try PointTest(bench: bench, scratch: folder).fail(mode, at: point)
      } catch {
        return "\(error), at \(point)"
      }
    }
    add(Score(mode: "\(name), \(mode.rawValue)", points: points.count, failures: failures.compactMap(\.self)))
  }

  /// Every so many calls, and then every so many of the same command that goes on.
  mutating func twice(every step: Int, _ name: String, _ bench: Bench) {
    let points = Array(stride(from: 1, through: bench.calls.count, by: step))
    let found = Workers.map(points, in: scratch) { point, folder in
      do {
        return try PointTest(bench: bench, scratch: folder)
          .killTwice(at: point, from: 1 + point / step % step, every: step)
      } catch {
        return (1, ["\(error), at \(point)"])
      }
    }
    add(
      Score(
        mode: "\(name), killed twice", points: found.reduce(0) { $0 + $1.0 },
        failures: found.flatMap(\.1)))
  }

  private mutating func add(_ score: Score) {
    scores.append(score)
    print(score.mode, score.points, score.failures.count)
    for failure in score.failures { print("  ", failure) }
  }
}
