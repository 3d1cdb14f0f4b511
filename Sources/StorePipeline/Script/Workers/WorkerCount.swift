internal import Foundation

/// How many threads work for one script.
enum WorkerCount {
  /// As many as there are processors for each of so many runs, 4 at most: from there on the one
  /// that writes is what is waited for.
  static func usual(runs: Int = 1) -> Int {
    min(4, max(1, processors / max(1, runs)))
  }

  /// Foundation reads several files of the system to answer; a fleet would ask for each store.
  private static let processors = ProcessInfo.processInfo.activeProcessorCount
}
