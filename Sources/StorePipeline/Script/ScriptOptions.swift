package import Foundation
package import Lua

/// What a run says to one of its scripts.
package struct ScriptOptions: Sendable {
  /// What happens to an object that the script fails on.
  package enum OnError: String, OptionChoice {
    /// The run stops.
    case stop
    /// The object is left out and counted.
    case skip
    /// The object is rejected.
    case reject
  }

  /// What happens to an object that the script fails on.
  package var onError = OnError.stop
  /// What the script finds as `params`.
  package var params: [String: OptionValue] = [:]
  /// The run's name, of which `ctx.random` is made.
  package var runID: String
  /// The moment that `ctx.now` gives, the same for the whole run.
  package var now: Date
  /// The file for objects that are rejected; nil where they are not kept.
  package var rejectsPath: String?
  /// Whether messages may show values of the user's.
  package var showsValues = false
  /// How many failures are reported one by one; those beyond are counted.
  package var mostFailures = 20
  /// How long one call into the script may take.
  package var time: Duration? = .seconds(10)
  /// The instructions of one call into the script; nil for any number.
  package var instructions: UInt64?
  /// The bytes that the script may hold.
  package var memory = 64 << 20
  /// The threads that work in addition to the one that writes; 1 for none.
  package var workers = 1
  /// The same where objects are large, of which each thread holds some; nil for as many.
  package var workersOfLarge: Int?

  /// From how many bytes of the source on an object is large.
  private static let leastLarge = 64 << 10

  /// The threads for objects of about so many bytes each.
  func workers(each bytes: Int) -> Int {
    bytes < Self.leastLarge ? workers : workersOfLarge ?? workers
  }
  /// Stops the script from another thread.
  package var canceller = LuaCanceller()

  /// Options with what every run must say; set what differs.
  package init(runID: String, now: Date, rejectsPath: String?) {
    self.runID = runID
    self.now = now
    self.rejectsPath = rejectsPath
  }
}

extension ScriptOptions {
  /// What one call into the script may use.
  var limits: LuaLimits { LuaLimits(memory: memory, time: time, instructions: instructions) }
}
