/// One attribute of an entity.
public struct Attribute: Property {
  /// The name, unique among the entity's properties.
  public var name: String
  /// The type of its values.
  public var type: AttributeType
  /// Whether an object may be saved without a value.
  public var isOptional = false
  /// Whether the value is never stored.
  public var isTransient = false
  /// Whether the value is computed and never set.
  public var isReadOnly = false
  /// Whether it is indexed under its own name: the older box, or a fetch index over it alone.
  public var isIndexed = false
  /// The value of a new object.
  public var defaultValue: ModelConstant?
  /// What a value must obey, in a fixed order.
  public var validation: [ValidationRule] = []
  /// Whether large values may live in files next to the store.
  public var usesExternalStorage = false
  /// Whether the value is kept in history after its object's deletion.
  public var isPreservedAfterDeletion = false
  /// How the value is computed, when the attribute is derived.
  public var derivation: Derivation?
  /// The name of the composite that a composite attribute holds.
  public var compositeName: String?
  /// The parts of a composite attribute.
  public var elements: [Attribute] = []
  /// The value transformer of a transformable attribute.
  public var transformerName: String?
  /// The class of a transformable attribute's values.
  public var valueClassName: String?
  /// Text that makes the version hash differ where the definition does not.
  public var hashModifier: String?
  /// The name in the version before, when this attribute was renamed.
  public var renamingIdentifier: String?
  /// What the application added to the definition.
  public var userInfo: [String: String] = [:]

  /// A plain mandatory attribute; set what differs.
  public init(name: String, type: AttributeType) {
    self.name = name
    self.type = type
  }
}
