import Lua

/// A table of names and values as the text of a condition: all of them are equal.
enum ScriptCondition {
  /// The condition; fails for values that no condition can hold.
  static func text(_ table: LuaTable) throws -> String {
    let parts = try table.pairs.map { key, value in
      guard let name = key.name else {
        throw ScriptValue.Misfit("a condition's table has names for keys")
      }
      return "\(name) == \(try literal(value, name))"
    }
    return parts.joined(separator: " AND ")
  }

  private static func literal(_ value: LuaValue, _ name: String) throws -> String {
    switch value {
    case .boolean(let truth): return truth ? "TRUE" : "FALSE"
    case .integer(let number): return "\(number)"
    case .real(let number) where number.isFinite: return "\(number)"
    default:
      guard let text = value.text else {
        throw ScriptValue.Misfit("a condition cannot compare '\(name)' with a \(value.typeName)")
      }
      return LuaText.quoted(text)
    }
  }
}
