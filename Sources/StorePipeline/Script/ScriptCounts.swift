import Formats
import Lua

/// What happened to the objects that one script was given.
public struct ScriptCounts: Sendable, Hashable {
  /// The objects it made, by entity.
  public internal(set) var made: [String: Int] = [:]
  /// The objects that it left out on purpose, `ctx.skip`.
  public internal(set) var skipped = 0
  /// The objects left out because it failed on them.
  public internal(set) var failed = 0
  /// The objects that were rejected.
  public internal(set) var rejected = 0
  /// The decimals that lost digits on their way into the store.
  public internal(set) var rounded = 0
  /// How often it warned.
  public internal(set) var warnings = 0

  /// Nothing yet.
  public init() {}
}

extension ScriptCounts {
  /// The counts as a property list, which is saved with each chunk.
  var list: PropertyList {
    .dictionary([
      "made": .dictionary(made.mapValues { .integer(Int64($0)) }),
      "others": .array(
        [skipped, failed, rejected, rounded, warnings].map { .integer(Int64($0)) }),
    ])
  }

  /// The counts that were saved.
  init(_ list: PropertyList) {
    made = (list["made"]?.dictionary ?? [:]).compactMapValues { $0.integer.map { Int($0) } }
    let others = (list["others"]?.array ?? []).compactMap { $0.integer.map { Int($0) } }
    guard others.count == 5 else { return }
    (skipped, failed, rejected) = (others[0], others[1], others[2])
    (rounded, warnings) = (others[3], others[4])
  }
}
