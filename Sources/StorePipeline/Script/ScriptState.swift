import Formats
import Lua

/// A script's `ctx.state` as a property list, so that it is saved with every chunk.
///
/// Texts are kept as bytes and keys with their kinds: what comes back is what was there.
enum ScriptState {
  /// A value as a property list.
  static func list(_ value: LuaValue) -> PropertyList {
    switch value {
    case .null, .opaque: .null
    case .boolean(let truth): .bool(truth)
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .string(let bytes): .data(bytes)
    case .table(let table):
      .array(table.pairs.map { .array([key($0.key), list($0.value)]) })
    }
  }

  /// A property list of ``list(_:)`` as a value.
  static func value(_ list: PropertyList) -> LuaValue {
    switch list {
    case .bool(let truth): return .boolean(truth)
    case .integer(let number): return .integer(number)
    case .real(let number): return .real(number)
    case .data(let bytes): return .string(bytes)
    case .array(let pairs): return table(pairs)
    default: return .null
    }
  }

  private static func table(_ pairs: [PropertyList]) -> LuaValue {
    var table = LuaTable()
    for case .array(let pair) in pairs where pair.count == 2 {
      switch pair[0] {
      case .integer(Int64(table.list.count) + 1): table.list.append(value(pair[1]))
      case .integer(let number): table.fields[.integer(number)] = value(pair[1])
      case .data(let bytes): table.fields[.string(bytes)] = value(pair[1])
      default: break
      }
    }
    return .table(table)
  }

  private static func key(_ key: LuaTable.Key) -> PropertyList {
    switch key {
    case .integer(let number): .integer(number)
    case .string(let bytes): .data(bytes)
    }
  }
}
