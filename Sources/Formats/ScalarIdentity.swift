/// What makes two scalars one object: kind and bits, so that 1, 1.0 and true stay three.
///
/// Text counts by its scalars, because Swift's equality of strings would merge a composed and a
/// decomposed "é".
enum ScalarIdentity: Hashable {
  /// Null; the only one.
  case null
  /// A truth value.
  case bool(Bool)
  /// A number, date or UID: its bits and which of these it is.
  case number(UInt64, kind: Int)
  /// Data.
  case bytes([UInt8])
  /// A string, by its UTF-8.
  case text([UInt8])

  /// The identity of a scalar; a container has none of its own and must not be asked.
  init(_ value: PropertyList) {
    switch value {
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .number(UInt64(bitPattern: value), kind: 0)
    case .unsigned(let value): self = .number(value, kind: 1)
    case .real(let value): self = .number(value.bitPattern, kind: 2)
    case .date(let value): self = .number(value.bitPattern, kind: 3)
    case .uid(let value): self = .number(value, kind: 4)
    case .data(let value): self = .bytes(value)
    case .string(let value): self = .text(Array(value.utf8))
    case .null, .array, .dictionary: self = .null
    }
  }
}
