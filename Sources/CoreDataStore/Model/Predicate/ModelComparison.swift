/// Two expressions and what must hold between them.
public struct ModelComparison: Hashable, Sendable {
  /// What must hold; the raw value is the word in predicate text.
  public enum Operator: String, Hashable, Sendable, CaseIterable {
    case lessThan = "<"
    case atMost = "<="
    case greaterThan = ">"
    case atLeast = ">="
    case equal = "=="
    case notEqual = "!="
    case matches = "MATCHES"
    case like = "LIKE"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case isIn = "IN"
    case contains = "CONTAINS"
    case between = "BETWEEN"
  }

  /// For which elements of a to-many left side it must hold.
  public enum Quantifier: String, Hashable, Sendable {
    /// The left side is one value.
    case direct = ""
    case all = "ALL"
    case any = "ANY"
  }

  /// The left side.
  public var left: ModelExpression
  /// What must hold.
  public var comparator: Operator
  /// The right side.
  public var right: ModelExpression
  /// For which elements it must hold.
  public var quantifier: Quantifier
  /// The letters between brackets: `c` for case, `d` for accents, in this order.
  public var options: String

  /// A comparison with all its parts.
  public init(
    _ left: ModelExpression, _ comparator: Operator, _ right: ModelExpression,
    quantifier: Quantifier = .direct, options: String = ""
  ) {
    self.left = left
    self.comparator = comparator
    self.right = right
    self.quantifier = quantifier
    self.options = options
  }
}
