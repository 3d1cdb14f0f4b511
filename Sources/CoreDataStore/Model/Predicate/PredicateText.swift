// Predicates as text, in the form of `NSPredicate.predicateFormat`.

extension ModelPredicate: CustomStringConvertible {
  /// The predicate as predicate-format text.
  public var description: String {
    switch self {
    case .comparison(let comparison): comparison.description
    case .and(let parts): Self.joined(parts, by: "AND", empty: "TRUEPREDICATE")
    case .or(let parts): Self.joined(parts, by: "OR", empty: "FALSEPREDICATE")
    case .not(let part): "NOT \(part.operand)"
    case .unknown(let text, _): text
    }
  }

  private static func joined(_ parts: [ModelPredicate], by word: String, empty: String) -> String {
    guard parts.count > 1 else { return parts.first?.description ?? empty }
    return parts.map(\.operand).joined(separator: " \(word) ")
  }

  /// The text as a part of a larger predicate, between parentheses where they are needed.
  private var operand: String {
    switch self {
    case .and(let parts) where parts.count > 1, .or(let parts) where parts.count > 1:
      "(\(self))"
    case .unknown: "(\(self))"
    default: description
    }
  }

  /// The first part that could not be read, and why.
  package var unreadable: String? {
    switch self {
    case .comparison(let comparison): comparison.left.unreadable ?? comparison.right.unreadable
    case .and(let parts), .or(let parts): Self.firstUnreadable(parts)
    case .not(let part): part.unreadable
    case .unknown(let text, let why): "\(text): \(why)"
    }
  }

  /// A lazy `first` would ask each twice, and so take forever over deep nesting.
  private static func firstUnreadable(_ predicates: [ModelPredicate]) -> String? {
    for predicate in predicates {
      if let problem = predicate.unreadable { return problem }
    }
    return nil
  }
}

extension ModelComparison: CustomStringConvertible {
  /// The comparison as predicate-format text.
  public var description: String {
    let start = quantifier == .direct ? "" : "\(quantifier.rawValue) "
    let letters = options.isEmpty ? "" : "[\(options)]"
    return "\(start)\(left) \(comparator.rawValue)\(letters) \(right)"
  }
}
