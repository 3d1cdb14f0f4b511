/// One thing that an attribute's value must obey.
public enum ValidationRule: Hashable, Sendable {
  case minimum(ModelConstant)
  case maximum(ModelConstant)
  case minimumLength(Int)
  case maximumLength(Int)
  /// A regular expression that the whole value matches.
  case matches(String)
  /// Any other predicate, over `SELF`.
  case predicate(ModelPredicate)

  /// The place of the rule in an attribute's list, so that equal lists compare equal.
  private var rank: Int {
    switch self {
    case .minimum: 0
    case .maximum: 1
    case .minimumLength: 2
    case .maximumLength: 3
    case .matches: 4
    case .predicate: 5
    }
  }

  /// The rules in a fixed order.
  package static func inOrder(_ rules: [ValidationRule]) -> [ValidationRule] {
    rules.enumerated()
      .sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
      .map(\.element)
  }
}

extension ValidationRule: CustomStringConvertible {
  /// The rule in words.
  public var description: String {
    switch self {
    case .minimum(let value): "at least \(value.predicateText)"
    case .maximum(let value): "at most \(value.predicateText)"
    case .minimumLength(let length): "at least \(length) long"
    case .maximumLength(let length): "at most \(length) long"
    case .matches(let pattern): "matches \(pattern)"
    case .predicate(let predicate): predicate.description
    }
  }
}
