internal import CoreDataStore

/// A source and its mapping, without a store that is being built.
struct MappedSource: StorePair {
  let sourceSchema: StoreSchema
  let targetSchema: StoreSchema
  let mapping: Mapping
  let travel: LinkTravel

  init(sourceSchema: StoreSchema, targetSchema: StoreSchema, mapping: Mapping) {
    (self.sourceSchema, self.targetSchema) = (sourceSchema, targetSchema)
    self.mapping = mapping
    travel = LinkTravel(mapping, from: sourceSchema, to: targetSchema)
  }

  /// No file is read: what a value becomes that needs one is not asked.
  var external: ExternalValues { ExternalValues(old: [], new: nil) }

  func note(_ remark: ValueRemark, _ attribute: PropertyReference) {}
}
