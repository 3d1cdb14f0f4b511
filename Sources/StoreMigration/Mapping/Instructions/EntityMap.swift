public import CoreDataStore

/// Where the objects of a target entity, or some of their attributes, come from.
public struct EntityMap: Sendable, Hashable {
  /// Where the value of one attribute comes from.
  public enum Value: Sendable, Hashable {
    /// From an attribute of the source, where that can neither fail nor lose anything.
    case from(String)
    /// From an attribute of the source, turned into a type whatever it takes.
    case convert(String, to: AttributeType)
    /// The same for every object.
    case constant(ModelConstant)
  }

  /// The entity's name in the target.
  public var entity: String
  /// The source entity whose objects go there; nil for the one that is found as usual.
  ///
  /// Several instructions may bring several source entities to one target entity.
  public var source: String?
  /// Where attributes come from, by their names in the target.
  ///
  /// They hold for the entities that inherit the attributes, too.
  public var attributes: [String: Value]
  /// The line of the pipeline file.
  public var line: Int?

  /// A map in all its parts.
  public init(
    entity: String, from source: String? = nil, attributes: [String: Value] = [:],
    line: Int? = nil
  ) {
    self.entity = entity
    self.source = source
    self.attributes = attributes
    self.line = line
  }
}
