/// A property, and the entity that declares it.
package struct PropertyReference: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let entity: String
  /// The property's name.
  package let property: String

  package init(_ entity: String, _ property: String) {
    self.entity = entity
    self.property = property
  }

  /// "Entity.property", as messages give it.
  package var description: String { "\(entity).\(property)" }

  /// By entity, then by name.
  package static func < (left: Self, right: Self) -> Bool {
    left.entity == right.entity
      ? NameOrder.precedes(left.property, right.property)
      : NameOrder.precedes(left.entity, right.entity)
  }
}
