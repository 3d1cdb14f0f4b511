/// How many points of a mode there were, and what was wrong at some.
struct Score: Sendable {
  let mode: String
  var points: Int
  var failures: [String]
}
