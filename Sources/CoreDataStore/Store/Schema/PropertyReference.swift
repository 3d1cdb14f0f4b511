/// A property, and the entity that declares it.
public struct PropertyReference: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The entity that declares it.
  public let entity: String
  /// The property's name.
  public let property: String

  /// The property of an entity.
  public init(_ entity: String, _ property: String) {
    self.entity = entity
    self.property = property
  }

  /// "Entity.property", as messages give it.
  public var description: String { "\(entity).\(property)" }

  /// By entity, then by name.
  public static func < (left: Self, right: Self) -> Bool {
    left.entity == right.entity
      ? NameOrder.precedes(left.property, right.property)
      : NameOrder.precedes(left.entity, right.entity)
  }
}
