package import CoreDataStore

/// One rule that one object does not obey.
package struct RuleFailure: Sendable, Hashable {
  /// The object's entity.
  package var entity: String
  /// The object's key, Z_PK; 0 where the entity as a whole is meant.
  package var key: Int64
  /// The property, several between commas; Z_ENT and Z_MAX are possible, too.
  package var property: String
  package var rule: String
  /// Whether the same violation stood in the source already, its value unchanged.
  package var inSource: Bool
  /// The value, when values are asked for: the user's data.
  package var value: AttributeValue?

  /// A failure in all its parts.
  package init(
    entity: String, key: Int64, property: String, rule: String, inSource: Bool,
    value: AttributeValue? = nil
  ) {
    self.entity = entity
    self.key = key
    self.property = property
    self.rule = rule
    self.inSource = inSource
    self.value = value
  }
}
