/// What attributes, relationships and fetched properties have in common.
public protocol Property: Hashable, Sendable {
  /// The name, unique among an entity's properties.
  var name: String { get }
  /// Whether an object may be saved without a value.
  var isOptional: Bool { get }
  /// Whether the value is never stored.
  var isTransient: Bool { get }
  /// Whether the value is computed and never set.
  var isReadOnly: Bool { get }
  /// Text that makes the version hash differ where the definition does not.
  var hashModifier: String? { get }
  /// The name in the version before, when this property was renamed.
  var renamingIdentifier: String? { get }
  /// What the application added to the definition.
  var userInfo: [String: String] { get }
}

extension Property {
  /// The name by which a migration finds this property in another version.
  public var renamingName: String { renamingIdentifier ?? name }
}
