/// How the objects of one source entity become objects of one target entity.
///
/// Entities that inherit from either have an object mapping of their own.
public struct ObjectMapping: Sendable, Hashable {
  /// Whether objects keep their keys, Z_PK.
  public enum Keys: String, Sendable, Hashable {
    case kept
    /// The keys of another table's objects stand in the way: new ones are given, and everything
    /// that points there follows.
    case renumbered
  }

  /// Why object URIs that somebody saved no longer lead anywhere.
  public enum URIBreak: String, Sendable, Hashable, CaseIterable {
    case entityRenamed = "the entity has another name"
    case newKeys = "the objects have new keys"
  }

  /// The source entity's name.
  public let source: String
  /// The target entity's name.
  public let target: String
  /// The rule that pairs them.
  public let rule: MappingRule
  /// Whether the source entity has no objects of its own.
  public let isAbstract: Bool
  /// Whether objects keep their keys.
  public let keys: Keys
  /// The conditions that an object must meet, all of them.
  public let conditions: [String]
  /// Whether a script makes the objects.
  public let isScripted: Bool
  /// Every stored attribute of the target, inherited ones included, by name.
  public let attributes: [AttributeMapping]
  /// Every stored property of the source, inherited ones included, by name.
  public let properties: [PropertyFate]
  /// Whether, as far as the models can tell, rows need no change at all: the table has the
  /// same columns in the same order, the same numbers of the whole family and of all that its
  /// relationships lead to, and every value, key and link stays as it is.
  public internal(set) var tableIsSame = false

  /// Why saved object URIs break; empty when they do not.
  public var uriBreaks: [URIBreak] {
    guard !isAbstract else { return [] }
    return (source == target ? [] : [.entityRenamed]) + (keys == .kept ? [] : [.newKeys])
  }

  /// The attribute of the target of this name.
  public func attribute(named name: String) -> AttributeMapping? {
    attributes.first { $0.name == name }
  }

  /// What becomes of a property of the source.
  public func fate(of property: String) -> MappingFate? {
    properties.first { $0.name == property }?.fate
  }
}
