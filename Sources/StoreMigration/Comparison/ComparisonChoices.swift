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
  /// By entity of the second store and name of a property there, the first store's name of that
  /// property, where names do not say it.
  package var properties: [String: [String: String]] = [:]
  /// Attributes by whose values the objects of their entity are paired, instead of by Z_PK.
  package var keys: [PropertyReference] = []
  /// A database with the table `pipeline_objects` of a run: the objects that it names pair by it.
  ///
  /// It may be the second store itself. ``BuilderTables`` has the columns.
  package var associations: String?
  /// Tables that both stores have in the same pages: what their rows say is not compared.
  package var sameTables: Set<String> = []
  /// Columns of which it is known that they are the same in both stores.
  package var keptColumns = KeptColumns()
  /// How many bytes data may have to be handed on, not only its digest.
  package var contentLimit = 0

  /// Everything, by Z_PK.
  package init() {}

  /// The properties of an entity of the first store for those of one of the second, by name.
  func sources(_ match: RenamingMatch, in target: Entity?) -> [String: String] {
    guard let chosen = target.flatMap({ properties[$0.name] }) else { return match.sources }
    let taken = Set(chosen.values)
    return match.sources.filter { !taken.contains($0.value) }.merging(chosen) { _, own in own }
  }
}
