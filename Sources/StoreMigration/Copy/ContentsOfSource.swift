package import CoreDataStore
internal import SQLite

extension NewStoreContents {
  /// What a store says of itself until it is finished, taken over from its source.
  ///
  /// The copy of the model is the one given, or the source's where the model is the same. A source
  /// that is known to be sound, or read in part, is not checked for damage.
  package init(
    like source: String, to model: Model, cache given: ModelCache, isSound: Bool = false,
    isBrief: Bool = false
  ) throws {
    // The store of an earlier step may be an overlay, which is no file of its own.
    let content: Store.Content =
      isSound ? .sound : Overlay.isOne(source) ? .copy(source) : .store
    let store =
      try isBrief
      ? Store(source, ReadingBudget(), copiesBelow: Store.copiesBelow, readsWholeBelow: 0)
      : Store(source, reading: content)
    let isSame = VersionHashes(of: model).entities == store.metadata.hashes
    let cache = isSame ? try store.modelCacheContent() : nil
    let own = cache.map(ModelCache.cached) ?? .none
    let pageSize = try store.reading("cannot read the size of a page") {
      try store.connection.integer("PRAGMA page_size")
    }
    self.init(
      uuid: store.metadata.uuid, modelCache: given.isThere ? given : own,
      keepsHistory: store.schema.table("ATRANSACTION") != nil, metadata: store.metadata.entries,
      pageSize: Int(pageSize ?? 4096))
  }
}

extension NewStoreContents {
  /// The same of a copy that was read already and found sound; nil where the model stays the same,
  /// as the copy of it that the store keeps was not read.
  package init?(of copy: StoreMoment.Copied, to model: Model, cache: ModelCache) {
    guard VersionHashes(of: model).entities != copy.metadata.hashes else { return nil }
    self.init(
      uuid: copy.metadata.uuid, modelCache: cache, keepsHistory: copy.hasHistory,
      metadata: copy.metadata.entries, pageSize: copy.pageSize)
  }
}

extension NewStoreContents.ModelCache {
  fileprivate var isThere: Bool {
    if case .none = self { false } else { true }
  }

  /// The copy that another store keeps of its model; none where it has none, or cannot be read.
  package static func of(store path: String) -> Self {
    guard let content = try? Store(path).modelCacheContent() else { return .none }
    return .cached(content)
  }
}
