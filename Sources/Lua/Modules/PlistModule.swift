import Formats

/// `plist.decode(bytes)`, `plist.encode(value)` and `plist.archive(value)`.
///
/// Decoding reads property lists and keyed archives, such as a transformable attribute holds, as
/// tables. What Lua has no type for stands in a table of its own, so that it comes back as it
/// was: `{ ["$data"] = bytes }` and `{ ["$date"] = seconds since 2001 }`.
enum PlistModule: HelperModule {
  static func define(in state: LuaState) throws(LuaError) {
    try state.define(helper: "decode", in: "plist") { value(of: try read($0.bytes(1))) }
    try state.define(helper: "encode", in: "plist") {
      .string(try BinaryPropertyListWriter.write(list(of: $0[1])))
    }
    try state.define(helper: "archive", in: "plist") {
      .string(try KeyedArchiveWriter.write(list(of: $0[1])))
    }
  }

  private static func read(_ bytes: [UInt8]) throws -> PropertyList {
    let list = try PropertyList(reading: bytes)
    guard list["$archiver"] != nil else { return list }
    return try KeyedArchive(bytes).readable()
  }

  private static func value(of list: PropertyList) -> LuaValue {
    switch list {
    case .null: return .null
    case .bool(let bool): return .boolean(bool)
    case .integer(let integer): return .integer(integer)
    case .unsigned(let unsigned): return .real(Double(unsigned))
    case .real(let real): return .real(real)
    case .date(let seconds): return .fields(["$date": .real(seconds)])
    case .data(let bytes): return .fields(["$data": .string(bytes)])
    case .string(let string): return .text(string)
    case .uid(let uid): return .fields(["$uid": .real(Double(uid))])
    case .array(let elements): return .list(elements.map(value))
    case .dictionary(let dictionary): return .fields(dictionary.mapValues(value))
    }
  }

  private static func list(of value: LuaValue) throws -> PropertyList {
    switch value {
    case .null: throw ModuleError("a property list has no nil")
    case .boolean(let boolean): return .bool(boolean)
    case .integer(let integer): return .integer(integer)
    case .real(let real): return .real(real)
    case .string(let bytes): return value.text.map(PropertyList.string) ?? .data(bytes)
    case .table(let table): return try list(of: table)
    case .opaque(let type): throw ModuleError("a property list has no \(type)")
    }
  }

  private static func list(of table: LuaTable) throws -> PropertyList {
    if let value = try scalar(table) { return value }
    if table.fields.isEmpty { return .array(try table.list.map(list)) }
    guard table.list.isEmpty else {
      throw ModuleError("a table for a property list is a list or has named fields, not both")
    }
    var dictionary: [String: PropertyList] = [:]
    for (key, value) in table.fields {
      guard let name = key.name else { throw ModuleError("a property list's keys must be UTF-8") }
      dictionary[name] = try list(of: value)
    }
    return .dictionary(dictionary)
  }

  /// The data or the date that a table stands for.
  private static func scalar(_ table: LuaTable) throws -> PropertyList? {
    let data = table["$data"]?.bytes.map(PropertyList.data)
    let date = table["$date"]?.number.map(PropertyList.date)
    guard let value = data ?? date else { return nil }
    guard table.fields.count == 1, table.list.isEmpty else {
      throw ModuleError(
        "a table with \(data == nil ? "$date" : "$data") stands for that value, so nothing else "
          + "may be in it")
    }
    return value
  }
}
