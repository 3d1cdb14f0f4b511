package import CoreDataStore
internal import Foundation
internal import Lua
internal import OperatingSystem

/// What a command must get of the system: limits are met here, where there is room for a sentence.
///
/// Later on Swift's runtime and Dispatch take threads, descriptors and memory; where the system
/// refuses them, they wait for ever or trap.
package enum Surroundings {
  /// Descriptors to be free: a run of two workers has 15 open, and each more worker, a hook and
  /// each store of a fleet take some.
  static let descriptors = 48
  /// Threads to be free: for signals, Dispatch, the run, its scripts and two workers.
  static let threads = 8
  /// Address space to be free: a run of small objects takes 75 MB, its threads' stacks included.
  static let bytes = 192_000_000

  /// Takes all of it, and gives it back.
  ///
  /// - Throws: `Failure` of kind `refused` when the system refuses some of it.
  package static func check() throws(Failure) {
    guard ProcessLimits.canOpen(descriptors) else {
      throw refusal("\(descriptors) more open files are needed.", limit: "n")
    }
    guard ProcessLimits.canMap(bytes) else {
      throw refusal("\(bytes / 1_000_000) MB more address space are needed.", limit: "v")
    }
    guard canStart(threads) else {
      throw refusal("\(threads) more threads are needed.", limit: "u")
    }
  }

  private static func refusal(_ why: String, limit: String) -> Failure {
    Failure(
      .refused, what: "cannot begin", subject: "a limit of this process is too low",
      why: why, remedy: "Raise the limit, which `ulimit -\(limit)` shows, and try again.")
  }

  /// Whether so many threads can be there at a time.
  static func canStart(_ count: Int) -> Bool {
    let (gate, gone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    var started = 0
    while started < count,
      (try? ScriptThread.start {
        gate.wait(); gone.signal()
      }) != nil
    {
      started += 1
    }
    for _ in 0..<started { gate.signal() }
    for _ in 0..<started { gone.wait() }
    return started == count
  }
}
