import CoreDataStore
import Formats
import Lua

/// How far a stage in Lua has come: its passes over objects, one after the other.
struct StagePosition: Sendable, Equatable {
  /// The passes that were begun.
  var passes: Int64 = 0
  /// The last of them, in words, as long as it is not at its end.
  var pass: String?
  /// The place of its last object.
  var end: Int64 = 0
  /// How many objects it has.
  var total: Int64 = 0
  /// How many of them were handed over.
  var rows: Int64 = 0
  /// The stage's `ctx.state`.
  var state = LuaValue.table(LuaTable())
}

extension StagePosition {
  /// Reads what ``bytes()`` made.
  init(_ bytes: [UInt8]) throws {
    let list = try PropertyList(reading: bytes)
    func number(_ name: String) -> Int64 {
      if case .integer(let number)? = list[name] { number } else { 0 }
    }
    (passes, end, total, rows) = (number("passes"), number("end"), number("total"), number("rows"))
    if case .string(let text)? = list["pass"] { pass = text }
    state = ScriptState.value(list["state"] ?? .array([]))
  }

  func bytes() throws -> [UInt8] {
    var list: [String: PropertyList] = [
      "passes": .integer(passes), "end": .integer(end), "total": .integer(total),
      "rows": .integer(rows), "state": ScriptState.list(state),
    ]
    if let pass { list["pass"] = .string(pass) }
    return try BinaryPropertyListWriter.write(.dictionary(list))
  }
}
