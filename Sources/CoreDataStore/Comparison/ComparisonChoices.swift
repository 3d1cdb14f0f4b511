/// What of two stores is compared, and how their objects find each other.
package struct ComparisonChoices: Sendable {
  /// The entities to compare, by either store's name; empty for all.
  package var entities: [String] = []
  /// A condition over the properties of the one entity in ``entities``: an object counts when it
  /// meets the condition in either store.
  package var condition: String?
  /// The first store's entity for one of the second, where names do not say it.
  package var pairs: [String: String] = [:]
  /// Attributes by whose values the objects of their entity are paired, instead of by Z_PK.
  package var keys: [PropertyReference] = []
  /// A database with the table `pipeline_objects` of a run: the objects that it names pair by it.
  ///
  /// It may be the second store itself. ``ConstructionTables`` has the columns.
  package var associations: String?
  /// How many bytes data may have to be handed on, not only its digest.
  package var contentLimit = 0

  /// Everything, by Z_PK.
  package init() {}
}
