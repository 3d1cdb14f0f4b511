/// One relationship of an entity.
public struct Relationship: Property {
  /// The name, unique among the entity's properties.
  public var name: String
  /// The entity that it leads to.
  public var destination: String
  /// The relationship of the destination that leads back.
  public var inverseName: String?
  /// The entity that declares the inverse, when the model says.
  public var inverseEntity: String?
  /// The fewest objects it may lead to.
  public var minCount = 0
  /// The most objects it may lead to; 0 means any number.
  public var maxCount = 0
  /// Whether the related objects have an order.
  public var isOrdered = false
  /// What happens to the related objects when this object is deleted.
  public var deleteRule = DeleteRule.nullify
  /// Whether an object may be saved without related objects.
  public var isOptional = false
  /// Whether the relationship is never stored.
  public var isTransient = false
  /// Whether the relationship is never set.
  public var isReadOnly = false
  /// Whether the older "indexed" box is ticked.
  public var isIndexed = false
  /// Text that makes the version hash differ where the definition does not.
  public var hashModifier: String?
  /// The name in the version before, when this relationship was renamed.
  public var renamingIdentifier: String?
  /// What the application added to the definition.
  public var userInfo: [String: String] = [:]

  /// A mandatory to-many relationship; set what differs.
  public init(name: String, destination: String) {
    self.name = name
    self.destination = destination
  }

  /// Whether it may lead to more than one object.
  public var isToMany: Bool { maxCount != 1 }
}
