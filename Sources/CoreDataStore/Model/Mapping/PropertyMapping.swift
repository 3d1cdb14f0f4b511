/// Where a property of the destination gets its value.
package struct PropertyMapping: Sendable, Hashable {
  /// What a value expression comes to.
  package enum Value: Sendable, Hashable {
    /// From the source's property of this name or path; for a relationship, from the objects that
    /// its objects became.
    case source(String)
    /// Always this value.
    case constant(ModelConstant)
    /// No value: a new entity's objects have no source.
    case none
    /// Some other expression, of this text.
    case other(ModelExpression)
  }

  package var name: String
  package var value: Value
  /// Whether the mapping model says it itself, or leaves it to the default.
  package var isExplicit: Bool

  /// A mapping of these parts.
  package init(name: String, value: Value, isExplicit: Bool) {
    self.name = name
    self.value = value
    self.isExplicit = isExplicit
  }

  /// What an expression comes to.
  ///
  /// Xcode's default for a relationship is a message to the migration manager,
  /// `destinationInstancesForEntityMappingNamed:sourceInstances:`, about `$source.name`.
  package static func value(of expression: ModelExpression) -> Value {
    switch expression {
    case .path(of: .variable("source"), let path): .source(path)
    case .constant(let value): .constant(value)
    case .message(to: .variable("manager"), let selector, let arguments):
      related(selector, arguments) ?? .other(expression)
    default: .other(expression)
    }
  }

  private static let selectors = [
    "destinationInstancesForEntityMappingNamed:sourceInstances:",
    "destinationInstancesForSourceRelationshipNamed:sourceInstances:",
  ]

  private static func related(_ selector: String, _ arguments: [ModelExpression]) -> Value? {
    guard selectors.contains(selector), arguments.count == 2,
      case .path(of: .variable("source"), let path) = arguments[1]
    else { return nil }
    return .source(path)
  }
}
