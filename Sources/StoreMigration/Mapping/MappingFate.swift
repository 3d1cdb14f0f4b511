/// What happens to something that the source has.
package enum MappingFate: Sendable, Hashable {
  /// It is carried over under its name.
  case kept
  /// It is carried over under these names of the target.
  case moved(to: [String])
  /// It is given to a script.
  case scripted
  /// It is left behind; declared, or else a problem.
  case dropped(isDeclared: Bool)
}

/// What happens to one entity of the source.
package struct EntityFate: Sendable, Hashable {
  /// The entity's name.
  package let entity: String
  /// What happens to its objects.
  package let fate: MappingFate
  /// The conditions that an object must meet, all of them, whether the copy or a script carries it
  /// over.
  package let conditions: [String]
}

/// What happens to one property of one entity's objects.
package struct PropertyFate: Sendable, Hashable {
  /// The property's name in the source.
  package let name: String
  /// Whether it is a relationship, and not an attribute.
  package let isRelationship: Bool
  /// What happens to it.
  package let fate: MappingFate
}
