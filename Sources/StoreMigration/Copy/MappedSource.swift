internal import CoreDataStore

/// A source and its mapping, without a store that is being built.
struct MappedSource: StorePair {
  let sourceSchema: StoreSchema
  let targetSchema: StoreSchema
  let mapping: Mapping

  /// No file is read: what a value becomes that needs one is not asked.
  var external: ExternalValues { ExternalValues(old: [], new: nil) }

  func noteMalformed(_ attribute: PropertyReference) {}
}
