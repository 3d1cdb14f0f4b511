import Foundation

/// One thing worth measuring.
struct Benchmark {
  /// What is measured, the layer first: `sqlite.insert`.
  var name: String
  /// What is counted.
  var unit: String
  /// How many of it one run does.
  var count: Int
  /// One run.
  var body: () throws -> Void

  /// The time one unit takes in the best of several runs, the one least disturbed by anything else.
  func best(of runs: Int = 7) throws -> Duration {
    let clock = ContinuousClock()
    let times = try (0..<runs).map { _ in try clock.measure(body) }
    return (times.min() ?? .zero) / count
  }

  /// The result as it is printed.
  func line() throws -> String {
    let time = try best()
    let nanoseconds = Int(time / .nanoseconds(1))
    let rate = Int(.seconds(1) / time)
    return name.padding(toLength: 16, withPad: " ", startingAt: 0)
      + String(format: "%12ld ns per \(unit) %12ld \(unit)s a second", nanoseconds, rate)
  }

  /// Measures the layers, those whose name has this in it, and hands on a line for each.
  static func measureAll(_ part: String, print: (String) -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "pipeline-benchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for benchmark in try sqlite(in: folder) + lua()
    where part.isEmpty || benchmark.name.contains(part) {
      print(try benchmark.line())
    }
  }
}
