package import CoreDataStore

/// A store, the one that is made from it, and the mapping between them.
package protocol StorePair {
  /// The source's schema.
  var sourceSchema: StoreSchema { get }
  /// The new store's schema.
  var targetSchema: StoreSchema { get }
  /// Which entity and property becomes which.
  var mapping: Mapping { get }
  /// Which links travel with their rows; made once, because it looks at every link of the mapping.
  var travel: LinkTravel { get }
  var external: ExternalValues { get }

  /// Counts a value by what there is to note about it.
  func note(_ remark: ValueRemark, _ attribute: PropertyReference) throws
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
