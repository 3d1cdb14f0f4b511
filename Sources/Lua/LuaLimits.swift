/// What one entry into Lua may use.
package struct LuaLimits: Equatable, Sendable {
  /// Bytes the interpreter may hold.
  package var memory: Int
  /// How long one entry may take.
  package var time: Duration?
  /// Instructions of one entry; work done in C for the script is counted in.
  package var instructions: UInt64?

  /// Limits that an honest transform never meets.
  package init(
    memory: Int = 64 << 20, time: Duration? = .seconds(10), instructions: UInt64? = nil
  ) {
    self.memory = memory
    self.time = time
    self.instructions = instructions
  }

  /// The time limit in nanoseconds, 0 for none.
  var nanoseconds: UInt64 {
    guard let time else { return 0 }
    let (seconds, attoseconds) = time.components
    // A century is as good as none, and leaves room to add it to what the clock says.
    let nanoseconds = UInt64(min(max(seconds, 0), 3_155_760_000)) * 1_000_000_000
    return max(1, nanoseconds + UInt64(max(attoseconds, 0) / 1_000_000_000))
  }
}
