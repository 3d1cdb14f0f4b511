package import CoreDataStore

/// What of two stores is compared, and how their objects find each other.
package struct ComparisonChoices: Sendable {
  /// The entities to compare, by either store's name; empty for all.
  package var entities: [String] = []
  /// A condition over the properties of the one entity in ``entities``: an object counts when it
  /// meets the condition in either store.
  package var condition: String?
  /// The first store's entity for one of the second, where names do not say it.
  package var pairs: [String: String] = [:]
  /// The first store's name of a property of the second, where names do not say it.
  package var properties: [PropertyReference: String] = [:]
  /// Attributes by whose values the objects of their entity are paired, instead of by Z_PK.
  package var keys: [PropertyReference] = []
  /// A database with the table `pipeline_objects` of a run: the objects that it names pair by it.
  ///
  /// It may be the second store itself. ``BuilderTables`` has the columns.
  package var associations: String?
  /// How many bytes data may have to be handed on, not only its digest.
  package var contentLimit = 0

  /// Everything, by Z_PK.
  package init() {}

  /// The properties of an entity of the first store for those of one of the second, by name.
  func sources(_ match: RenamingMatch, in target: Entity?) -> [String: String] {
    guard let target, !properties.isEmpty else { return match.sources }
    let told = properties.filter { $0.key.entity == target.name }
    let taken = Set(told.values)
    var sources = match.sources.filter { !taken.contains($0.value) }
    for (name, source) in told { sources[name.property] = source }
    return sources
  }
}
