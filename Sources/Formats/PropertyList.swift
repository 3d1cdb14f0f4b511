/// A property list's value, the same whether it was written in binary or XML.
package enum PropertyList: Equatable, Sendable {
  /// The null object that binary property lists can hold.
  case null
  /// True or false.
  case bool(Bool)
  /// An integer.
  case integer(Int64)
  /// An integer that only fits without a sign: above `Int64.max`.
  case unsigned(UInt64)
  /// A floating-point number.
  case real(Double)
  /// Seconds since 2001-01-01 UTC.
  case date(Double)
  /// Bytes.
  case data([UInt8])
  /// Text.
  case string(String)
  /// The number of another object of a keyed archive.
  case uid(UInt64)
  /// Values in order.
  case array([PropertyList])
  /// Values by name.
  case dictionary([String: PropertyList])
}

extension PropertyList {
  /// The text, if this is a string.
  package var string: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  /// The number, if this is an integer.
  package var integer: Int64? {
    guard case .integer(let value) = self else { return nil }
    return value
  }

  /// The truth value, if this is one.
  package var bool: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  /// The number, if this is a real.
  package var real: Double? {
    guard case .real(let value) = self else { return nil }
    return value
  }

  /// Seconds since 2001-01-01 UTC, if this is a date.
  package var date: Double? {
    guard case .date(let value) = self else { return nil }
    return value
  }

  /// The bytes, if this is data.
  package var data: [UInt8]? {
    guard case .data(let value) = self else { return nil }
    return value
  }

  /// The elements, if this is an array.
  package var array: [PropertyList]? {
    guard case .array(let value) = self else { return nil }
    return value
  }

  /// The entries, if this is a dictionary.
  package var dictionary: [String: PropertyList]? {
    guard case .dictionary(let value) = self else { return nil }
    return value
  }

  /// The value of a key, if this is a dictionary that has it.
  package subscript(key: String) -> PropertyList? { dictionary?[key] }
}

extension PropertyList {
  /// Reads a property list, binary or XML, whichever the first bytes say.
  package init(
    reading bytes: [UInt8], limits: FormatLimits = .propertyList
  ) throws(FormatError) {
    if BinaryPropertyList.claims(bytes) {
      self = try BinaryPropertyList(bytes, limits: limits).value()
    } else if XMLTree.claims(bytes) {
      self = try XMLPropertyListReader.read(bytes, limits: limits)
    } else {
      throw FormatError(.propertyList, "neither binary nor XML: it begins with something else")
    }
  }
}
