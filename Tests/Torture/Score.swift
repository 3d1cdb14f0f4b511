/// How many points there were, and what was wrong at some.
struct Score: Sendable {
  var points = 0
  var failures: [String] = []

  static func + (first: Score, second: Score) -> Score {
    Score(points: first.points + second.points, failures: first.failures + second.failures)
  }
}
