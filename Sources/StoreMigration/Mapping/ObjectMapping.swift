internal import CoreDataStore

/// How the objects of one source entity become objects of one target entity.
///
/// Entities that inherit from either have an object mapping of their own.
package struct ObjectMapping: Sendable, Hashable {
  /// Whether objects keep their keys, Z_PK.
  package enum Keys: String, Sendable, Hashable {
    case kept
    /// The keys of another table's objects stand in the way: new ones are given, and everything
    /// that points there follows.
    case renumbered
  }

  /// Why object URIs that an application saved no longer lead anywhere.
  package enum URIBreak: String, Sendable, Hashable, CaseIterable {
    case entityRenamed = "the entity has another name"
    case newKeys = "the objects have new keys"
  }

  /// The source entity's name.
  package let source: String
  /// The target entity's name.
  package let target: String
  /// The rule that pairs them.
  package let rule: MappingRule
  /// Whether the source entity has no objects of its own.
  package let isAbstract: Bool
  /// Whether objects keep their keys.
  package let keys: Keys
  /// The conditions that an object must meet, all of them.
  package let conditions: [String]
  /// Whether a script makes the objects.
  package let isScripted: Bool
  /// The script, as the pipeline file names it.
  package internal(set) var script: String?
  /// Every stored attribute of the target, inherited ones included, by name.
  package let attributes: [AttributeMapping]
  /// Every stored property of the source, inherited ones included, by name.
  package let properties: [PropertyFate]
  /// Whether, as far as the models show, rows need no change at all: the table has the same columns
  /// in the same order, the same numbers of the whole family and of all that its relationships lead
  /// to, and every value, key and link stays as it is.
  package internal(set) var tableIsSame = false

  /// Why saved object URIs break; empty when they do not.
  package var uriBreaks: [URIBreak] {
    guard !isAbstract else { return [] }
    return (source == target ? [] : [.entityRenamed]) + (keys == .kept ? [] : [.newKeys])
  }

  /// The attribute of the target of this name.
  package func attribute(named name: String) -> AttributeMapping? {
    attributes.sortedFind(name, by: \.name)
  }

  /// What happens to a property of the source.
  package func fate(of property: String) -> MappingFate? {
    properties.sortedFind(property, by: \.name)?.fate
  }
}
