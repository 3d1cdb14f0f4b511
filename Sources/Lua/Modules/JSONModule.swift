import Formats

/// `json.encode(value)` and `json.decode(text)`.
///
/// A null of JSON's is a missing field in Lua; integers beyond 2^53 are written as strings.
enum JSONModule: HelperModule {
  static func define(in state: LuaState) throws(LuaError) {
    try state.define(helper: "decode", in: "json") {
      value(of: try JSONValue(reading: $0.bytes(1)))
    }
    try state.define(helper: "encode", in: "json") { arguments in
      let layout: JSONValue.Layout = arguments[2] == .boolean(true) ? .pretty : .compact
      return .text(try json(of: arguments[1]).text(layout, isData: true))
    }
  }

  private static func value(of json: JSONValue) -> LuaValue {
    switch json {
    case .null: return .null
    case .bool(let bool): return .boolean(bool)
    case .integer(let integer): return .integer(integer)
    case .real(let real): return .real(real)
    case .string(let string): return .text(string)
    case .array(let elements): return .list(elements.map(value))
    case .object(let members):
      var table = LuaTable()
      for member in members {
        let value = value(of: member.value)
        if value != .null { table[member.name] = value }
      }
      return .table(table)
    }
  }

  private static func json(of value: LuaValue) throws -> JSONValue {
    switch value {
    case .null: return .null
    case .boolean(let boolean): return .bool(boolean)
    case .integer(let integer): return .integer(integer)
    case .real(let real):
      guard real.isFinite else { throw ModuleError("JSON has no \(real)") }
      return .real(real)
    case .string:
      guard let text = value.text else { throw ModuleError("a string for JSON must be UTF-8") }
      return .string(text)
    case .table(let table): return try json(of: table)
    case .opaque(let type): throw ModuleError("JSON has no \(type)")
    }
  }

  /// A list is an array, and so is an empty table.
  private static func json(of table: LuaTable) throws -> JSONValue {
    if table.fields.isEmpty { return .array(try table.list.map(json)) }
    guard table.list.isEmpty else {
      throw ModuleError("a table for JSON is a list or has named fields, not both")
    }
    return .object(
      try table.pairs.map { key, value in
        guard let name = key.name else {
          throw ModuleError("a field's name for JSON must be UTF-8")
        }
        return JSONValue.Member(name, try json(of: value))
      })
  }
}
