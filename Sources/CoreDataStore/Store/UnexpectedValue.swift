package import SQLite

/// A value of a kind that the attribute's type does not have, as the store holds it.
public struct UnexpectedValue: Hashable, Sendable {
  package let value: Value

  /// A value to be kept as it is.
  package init(_ value: Value) { self.value = value }

  /// The kind of the value: "integer", "real", "text" or "blob".
  public var kind: String { "\(value.type)" }
}
