/// An entity, or some of its properties, under another name in the target.
package struct EntityRename: Sendable, Hashable {
  /// The entity's name in the source.
  package var entity: String
  /// The entity's name in the target; nil when it is found as usual.
  package var newName: String?
  /// The new name of each attribute or relationship, by the old one.
  ///
  /// It holds for the entities that inherit them, too.
  package var properties: [String: String]
  /// The line of the pipeline file.
  package var line: Int?

  /// A rename in all its parts.
  package init(
    entity: String, to newName: String? = nil, properties: [String: String] = [:],
    line: Int? = nil
  ) {
    self.entity = entity
    self.newName = newName
    self.properties = properties
    self.line = line
  }
}
