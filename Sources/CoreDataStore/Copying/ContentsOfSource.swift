internal import SQLite

extension NewStoreContents {
  /// What a store says of itself until it is finished, taken over from the one it is made of.
  ///
  /// The copy of the model is the compiled one, or the source's where the model is the same.
  package init(like source: String, to model: Model, archive: [UInt8]?) throws {
    let store = try Store(source)
    let isSame = VersionHashes(of: model).entities == store.metadata.hashes
    let content = isSame ? try store.modelCacheContent() : nil
    let cache = archive.map(ModelCache.archive) ?? content.map(ModelCache.cached)
    let pageSize = try store.reading("cannot read the size of a page") {
      try store.connection.integer("PRAGMA page_size")
    }
    self.init(
      uuid: store.metadata.uuid, modelCache: cache ?? .none,
      keepsHistory: store.schema.table("ATRANSACTION") != nil, metadata: store.metadata.entries,
      pageSize: Int(pageSize ?? 4096))
  }
}
