import Formats
import Lua

/// What is saved with each chunk, so that a killed run resumes as if nothing had happened.
struct ScriptSavedState {
  /// The script's `ctx.state`.
  var state: LuaValue
  /// What has happened to the objects.
  var counts: ScriptCounts

  init(_ state: LuaValue, _ counts: ScriptCounts) {
    self.state = state
    self.counts = counts
  }

  /// Reads what ``bytes()`` made.
  init(_ bytes: [UInt8]) throws {
    let list = try PropertyList(reading: bytes)
    state = ScriptState.value(list["state"] ?? .array([]))
    counts = ScriptCounts(list["counts"] ?? .null)
  }

  func bytes() throws -> [UInt8] {
    try BinaryPropertyListWriter.write(
      .dictionary(["state": ScriptState.list(state), "counts": counts.list]))
  }
}
