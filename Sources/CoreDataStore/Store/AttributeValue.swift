public import Foundation

/// The value of an attribute as an application sees it.
public enum AttributeValue: Hashable, Sendable {
  /// No value; it occurs in mandatory attributes too, where a migration added them.
  case null
  /// Of the three integer types.
  case integer(Int64)
  /// Of a Boolean.
  case boolean(Bool)
  /// Of a Double or Float.
  case real(Double)
  /// Of a Decimal: its exact digits.
  case decimal(String)
  /// Of a Date: seconds since 2001-01-01 UTC.
  case date(Double)
  /// Of a String.
  case string(String)
  /// Of a URI.
  case uri(String)
  /// Of a UUID.
  case uuid(UUID)
  /// Of Binary data that is in the store.
  case binary([UInt8])
  /// Of a Transformable: what its transformer made, which is not looked into.
  case transformable([UInt8])
  /// Of Binary data or a Transformable kept in a file next to the store.
  case external(ExternalReference)
  /// What does not belong into a column of the attribute's type; it is kept as it is.
  case unexpected(UnexpectedValue)
}
