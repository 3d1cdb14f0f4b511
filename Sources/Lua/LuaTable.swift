/// A plain table: its list, and what stands under other keys.
package struct LuaTable: Hashable, Sendable {
  /// A key that plain data may have.
  package enum Key: Hashable, Sendable, Comparable, ExpressibleByStringLiteral {
    case integer(Int64)
    case string([UInt8])

    package init(_ name: String) { self = .string(Array(name.utf8)) }
    package init(stringLiteral name: String) { self.init(name) }

    /// The name, where this is one in UTF-8.
    package var name: String? {
      guard case .string(let bytes) = self else { return nil }
      return String(validating: bytes, as: UTF8.self)
    }

    /// Integers first, then strings by their bytes: the order `pairs` goes in.
    package static func < (a: Key, b: Key) -> Bool {
      switch (a, b) {
      case (.integer(let a), .integer(let b)): a < b
      case (.integer, .string): true
      case (.string, .integer): false
      case (.string(let a), .string(let b)): a.lexicographicallyPrecedes(b)
      }
    }
  }

  /// The values under 1, 2, 3 and so on.
  package var list: [LuaValue]
  /// All other values.
  package var fields: [Key: LuaValue]

  /// A table of a list and fields.
  package init(list: [LuaValue] = [], fields: [Key: LuaValue] = [:]) {
    self.list = list
    self.fields = fields
  }

  package subscript(_ name: String) -> LuaValue? {
    get { fields[Key(name)] }
    set { fields[Key(name)] = newValue }
  }

  /// Every key with its value, in the order `pairs` goes in.
  package var pairs: [(key: Key, value: LuaValue)] {
    let listed = list.indices.map { (key: Key.integer(Int64($0) + 1), value: list[$0]) }
    let rest = fields.map { (key: $0.key, value: $0.value) }
    return (listed + rest).sorted { $0.key < $1.key }
  }

  /// Moves what continues the list into it.
  mutating func gatherList() {
    while let next = fields.removeValue(forKey: .integer(Int64(list.count) + 1)) {
      list.append(next)
    }
  }
}
