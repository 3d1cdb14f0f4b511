/// A property whose value is a fetch; nothing of it is stored.
public struct FetchedProperty: Property {
  /// The name, unique among the entity's properties.
  public var name: String
  /// What is fetched, when the model says.
  public var request: FetchRequest?
  /// Whether the box "optional" is ticked.
  public var isOptional = false
  /// Text that makes the version hash differ where the definition does not.
  public var hashModifier: String?
  /// The name in the version before, when this property was renamed.
  public var renamingIdentifier: String?
  /// What the application added to the definition.
  public var userInfo: [String: String] = [:]

  /// A fetched property; set what differs.
  public init(name: String, request: FetchRequest? = nil) {
    self.name = name
    self.request = request
  }

  /// Always: it has no storage.
  public var isTransient: Bool { true }
  /// Always: it is never set.
  public var isReadOnly: Bool { true }
}
