/// Text as SQLite holds it: bytes that should be UTF-8 and need not be.
package struct Text: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The exact bytes, without a terminator; a NUL may be among them.
  package let bytes: [UInt8]

  /// Text from bytes, valid UTF-8 or not.
  package init(bytes: [UInt8]) { self.bytes = bytes }

  package init(_ string: some StringProtocol) { bytes = Array(string.utf8) }

  package init(stringLiteral value: String) { bytes = Array(value.utf8) }

  /// The string, unless the bytes are not valid UTF-8.
  package var string: String? { String(validating: bytes, as: UTF8.self) }
}

/// A value of one of SQLite's five storage classes.
///
/// Two values are equal when class and bits are: 1 and 1.0 differ, 0.0 and -0.0 differ, NaN equals
/// a NaN of the same bits.
package enum Value: Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(Text)
  case blob([UInt8])

  /// A text value from a string.
  package static func text(_ string: String) -> Value { .text(Text(string)) }

  /// The integer, when it is one.
  package var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The real number, when it is one.
  package var real: Double? {
    if case .real(let value) = self { value } else { nil }
  }

  /// The string, when it is text of valid UTF-8.
  package var string: String? {
    if case .text(let value) = self { value.string } else { nil }
  }

  /// The bytes, when it is a blob.
  package var blob: [UInt8]? {
    if case .blob(let value) = self { value } else { nil }
  }

  package var isNull: Bool { type == .null }

  package var type: StorageClass {
    switch self {
    case .null: .null
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }
}

extension Value: Hashable {
  /// Equality by class and bits.
  package static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
    case (.text(let left), .text(let right)): left == right
    case (.blob(let left), .blob(let right)): left == right
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    switch self {
    case .null: break
    case .integer(let value): hasher.combine(value)
    case .real(let value): hasher.combine(value.bitPattern)
    case .text(let value): hasher.combine(value)
    case .blob(let value): hasher.combine(value)
    }
  }
}

/// SQLite's storage classes, with the numbers of its C interface.
package enum StorageClass: Int32, Sendable {
  case integer = 1
  case real = 2
  case text = 3
  case blob = 4
  case null = 5
}
