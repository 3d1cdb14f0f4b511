/// A JSON value whose objects keep their order.
package enum JSONValue: Equatable, Sendable {
  /// One name with its value.
  package struct Member: Equatable, Sendable {
    package let name: String
    package let value: JSONValue

    /// A member of an object.
    package init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// Nothing.
  case null
  /// True or false.
  case bool(Bool)
  /// A whole number, exact.
  case integer(Int64)
  /// Any other number.
  case real(Double)
  /// Text.
  case string(String)
  /// Values in order.
  case array([JSONValue])
  /// Named values in order.
  case object([Member])
}

extension JSONValue {
  /// The value of a name, if this is an object that has it.
  package subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The text, if this is a string.
  package var string: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  /// The number, if this is an integer, or a string of one as large integers are written.
  package var integer: Int64? {
    switch self {
    case .integer(let value): value
    case .string(let text): Int64(text)
    default: nil
    }
  }

  /// The truth value, if this is one.
  package var bool: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  /// The elements, if this is an array.
  package var array: [JSONValue]? {
    guard case .array(let value) = self else { return nil }
    return value
  }

  /// The members, if this is an object.
  package var members: [Member]? {
    guard case .object(let value) = self else { return nil }
    return value
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// `"text"`.
  package init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
  /// `42`.
  package init(integerLiteral value: Int64) { self = .integer(value) }
}

extension JSONValue: ExpressibleByFloatLiteral {
  /// `1.5`.
  package init(floatLiteral value: Double) { self = .real(value) }
}

extension JSONValue: ExpressibleByBooleanLiteral {
  /// `true`.
  package init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue: ExpressibleByNilLiteral {
  package init(nilLiteral: ()) { self = .null }
}

extension JSONValue: ExpressibleByArrayLiteral {
  /// `[1, "two"]`.
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  /// `["name": "value"]`, in this order.
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member($0, $1) })
  }
}
