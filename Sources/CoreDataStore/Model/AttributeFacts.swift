/// What is known of one type of attribute; ``AttributeType/facts`` is the table of them.
package struct AttributeFacts: Sendable {
  /// How values are held, which decides what they can become.
  package enum Form: Hashable, Sendable {
    /// Whole numbers of so many bits.
    case whole(bits: Int)
    /// Binary fractions with so many digits.
    case real(bits: Int)
    case decimal, boolean, date, text, uuid, bytes
    /// Core Data stores no such value, or not in one column.
    case none
  }

  /// The number of the type in a compiled model, `NSAttributeType`; nil for an unknown type.
  let code: Int32?
  /// The name, as Xcode shows and saves it.
  let name: String
  package let form: Form
  /// The column's type, and its group in a fresh table; nil where there is no such column.
  let column: (type: ColumnType, group: ColumnGroup)?
  /// The type of Lua that values have in a script.
  package let luaType: String
  /// A value as Lua writes it, to be replaced by a better one; nil where no plain value fits.
  package let luaExample: String?

  /// The numbers that the type holds; nil for a type of other values.
  package var range: ClosedRange<Int64>? {
    guard case .whole(let bits) = form else { return nil }
    return Int64.min >> (64 - bits)...Int64.max >> (64 - bits)
  }

  /// Whether values are numbers.
  package var isNumber: Bool {
    switch form {
    case .whole, .real, .decimal: true
    case .boolean, .date, .text, .uuid, .bytes, .none: false
    }
  }

  init(
    _ code: Int32?, _ name: String, _ form: Form, _ column: (ColumnType, ColumnGroup)?,
    lua luaType: String = "any", _ luaExample: String? = nil
  ) {
    (self.code, self.name, self.form, self.column) = (code, name, form, column)
    (self.luaType, self.luaExample) = (luaType, luaExample)
  }
}

/// The declared type of a column; the raw value is the word in the CREATE statement.
package enum ColumnType: String, Hashable, Sendable {
  case integer = "INTEGER"
  case decimal = "DECIMAL"
  case float = "FLOAT"
  case timestamp = "TIMESTAMP"
  case varchar = "VARCHAR"
  case blob = "BLOB"
}

/// The groups of columns in a fresh table, in their order.
enum ColumnGroup: Int, CaseIterable {
  case integers, positions, reals, decimals, strings, uris, uuids, transformables, binaries
  case objectIDs
}

extension AttributeType {
  /// The facts about the type: the one table of them.
  package var facts: AttributeFacts {
    switch self {
    case .undefined: .init(0, "Undefined", .none, nil)
    case .integer16: .init(100, "Integer 16", .whole(bits: 16), integers, lua: "integer", "0")
    case .integer32: .init(200, "Integer 32", .whole(bits: 32), integers, lua: "integer", "0")
    case .integer64: .init(300, "Integer 64", .whole(bits: 64), integers, lua: "integer", "0")
    case .decimal: .init(400, "Decimal", .decimal, (.decimal, .decimals), lua: "string", "\"0\"")
    case .double: .init(500, "Double", .real(bits: 53), (.float, .reals), lua: "number", "0.0")
    case .float: .init(600, "Float", .real(bits: 24), (.float, .reals), lua: "number", "0.0")
    case .string: .init(700, "String", .text, (.varchar, .strings), lua: "string", "\"\"")
    case .boolean: .init(800, "Boolean", .boolean, integers, lua: "boolean", "false")
    case .date: .init(900, "Date", .date, (.timestamp, .reals), lua: "number", "0")
    case .binary: .init(1000, "Binary", .bytes, (.blob, .binaries), lua: "string")
    case .uuid: .init(1100, "UUID", .uuid, (.blob, .uuids), lua: "string")
    case .uri: .init(1200, "URI", .text, (.varchar, .uris), lua: "string", "\"\"")
    case .transformable:
      .init(1800, "Transformable", .bytes, (.blob, .transformables), lua: "string")
    case .objectID: .init(2000, "ObjectID", .none, (.varchar, .objectIDs))
    case .composite: .init(2100, "Composite", .none, nil)
    case .codable: .init(2200, "Codable", .bytes, (.blob, .transformables), lua: "string")
    case .unknown(let name): .init(nil, name, .none, nil)
    }
  }

  private var integers: (ColumnType, ColumnGroup) { (.integer, .integers) }
}
