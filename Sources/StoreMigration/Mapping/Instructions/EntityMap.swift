package import CoreDataStore

/// Where the objects of a target entity, or some of their attributes, come from.
package struct EntityMap: Sendable, Hashable {
  /// Where the value of one attribute comes from.
  package enum Value: Sendable, Hashable {
    /// From an attribute of the source, where that can neither fail nor lose anything.
    case from(String)
    /// From an attribute of the source, turned into a type whatever it takes.
    case convert(String, to: AttributeType)
    /// The same for every object.
    case constant(ModelConstant)
  }

  /// The entity's name in the target.
  package var entity: String
  /// The source entity whose objects go there; nil for the one that is found as usual.
  ///
  /// Several instructions may bring several source entities to one target entity.
  package var source: String?
  /// Where attributes come from, by their names in the target.
  ///
  /// They hold for the entities that inherit the attributes, too.
  package var attributes: [String: Value]
  /// The line of the pipeline file.
  package var line: Int?
  /// Whether a script says it.
  package var isOfScript = false

  /// A map in all its parts.
  package init(
    entity: String, from source: String? = nil, attributes: [String: Value] = [:],
    line: Int? = nil
  ) {
    self.entity = entity
    self.source = source
    self.attributes = attributes
    self.line = line
  }
}
