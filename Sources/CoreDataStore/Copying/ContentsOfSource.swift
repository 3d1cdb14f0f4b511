internal import SQLite

extension NewStoreContents {
  /// What a store says of itself until it is finished, taken over from the one it is made of.
  ///
  /// The model's copy is taken over where the model is the same.
  package init(like source: String, to model: Model) throws {
    let store = try Store(source)
    let isSame = VersionHashes(of: model).entities == store.metadata.hashes
    let cache = isSame ? try store.modelCacheContent() : nil
    let pageSize = try store.reading("cannot read the size of a page") {
      try store.connection.integer("PRAGMA page_size")
    }
    self.init(
      uuid: store.metadata.uuid, modelCache: cache.map(ModelCache.cached) ?? .none,
      keepsHistory: store.schema.table("ATRANSACTION") != nil, metadata: store.metadata.entries,
      pageSize: Int(pageSize ?? 4096))
  }
}
