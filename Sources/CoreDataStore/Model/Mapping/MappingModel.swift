/// An Xcode mapping model: what a developer said about the way from one version to another.
package struct MappingModel: Sendable, Equatable {
  /// The path of the source version in its project, when the file says.
  package var sourcePath: String?
  /// The path of the destination version in its project, when the file says.
  package var destinationPath: String?
  /// The mappings of entities, in the order they run.
  package var entities: [EntityMapping]

  /// A mapping model of these parts.
  package init(
    sourcePath: String? = nil, destinationPath: String? = nil, entities: [EntityMapping]
  ) {
    self.sourcePath = sourcePath
    self.destinationPath = destinationPath
    self.entities = entities
  }
}
