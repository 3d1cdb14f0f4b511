/// A plain value of Lua's, copied out of it or into it.
///
/// Lua's strings are bytes, so they are here too: `text` reads them where they are UTF-8.
package enum LuaValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  case string([UInt8])
  case table(LuaTable)
  /// What stays in Lua, a function, a thread or an object, by the name of its type: it can be
  /// refused, and nothing else.
  case opaque(String)
}

extension LuaValue {
  /// A string of a text's UTF-8.
  package static func text(_ text: some StringProtocol) -> Self { .string(Array(text.utf8)) }

  /// A table that is a list.
  package static func list(_ values: [LuaValue]) -> Self { .table(LuaTable(list: values)) }

  /// A table of named fields.
  package static func fields(_ fields: [String: LuaValue]) -> Self {
    .table(LuaTable(fields: Dictionary(uniqueKeysWithValues: fields.map { (.init($0), $1) })))
  }

  /// The text, where this is a string of valid UTF-8.
  package var text: String? {
    guard case .string(let bytes) = self else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// The bytes, where this is a string.
  package var bytes: [UInt8]? {
    guard case .string(let bytes) = self else { return nil }
    return bytes
  }

  /// The integer, where this is one.
  package var integer: Int64? {
    guard case .integer(let integer) = self else { return nil }
    return integer
  }

  /// The number, where this is one of either kind.
  package var number: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .real(let real): real
    default: nil
    }
  }

  /// The table, where this is one.
  package var table: LuaTable? {
    guard case .table(let table) = self else { return nil }
    return table
  }

  /// The boolean, where this is one.
  package var boolean: Bool? {
    guard case .boolean(let boolean) = self else { return nil }
    return boolean
  }

  /// What Lua calls a value of this kind.
  package var typeName: String {
    switch self {
    case .null: "nil"
    case .boolean: "boolean"
    case .integer, .real: "number"
    case .string: "string"
    case .table: "table"
    case .opaque(let type): type
    }
  }
}

extension LuaValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  package init(stringLiteral text: String) { self = .text(text) }
  package init(integerLiteral integer: Int64) { self = .integer(integer) }
  package init(floatLiteral real: Double) { self = .real(real) }
  package init(booleanLiteral boolean: Bool) { self = .boolean(boolean) }
  package init(nilLiteral: ()) { self = .null }
}
