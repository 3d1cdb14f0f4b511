package import CoreDataStore

/// A store, the one that is made of it, and what becomes of what between them.
package protocol StorePair {
  /// What the source is made of.
  var sourceSchema: StoreSchema { get }
  /// What the new store is made of.
  var targetSchema: StoreSchema { get }
  /// What becomes of what.
  var mapping: Mapping { get }
  var external: ExternalValues { get }

  /// Counts a value that begins with no mark of Core Data's.
  func noteMalformed(_ attribute: PropertyReference) throws
}

// What entities of either side are, and what is said when they are none.
extension StorePair {
  /// The layout of a source entity.
  package func sourceLayout(_ name: String) throws -> EntityLayout {
    try sourceSchema.layout(of: name)
  }

  /// The layout of a target entity.
  package func targetLayout(_ name: String) throws -> EntityLayout {
    try targetSchema.layout(of: name)
  }
}

extension StoreSchema {
  /// The layout of an entity that must be there.
  func layout(of name: String) throws -> EntityLayout {
    if let layout = entity(named: name) { return layout }
    throw Failure(
      .unusable, what: "cannot find the entity", subject: name,
      why: "The model \(model.name) has no such entity"
        + NearestName.suggestion(for: name, among: entities.map(\.name)) + ".",
      remedy: "Correct the name.")
  }
}
