internal import SQLite

/// The model that a store keeps of itself, in the table Z_MODELCACHE.
package enum CachedModel: Sendable {
  /// There is none: old stores have no such table, and some migrations leave it out.
  case none
  /// It is there and cannot be read; why.
  case damaged(String)
  /// The model the store was last opened with.
  case model(Model)

  /// The model, if it could be read.
  package var model: Model? {
    if case .model(let model) = self { model } else { nil }
  }
}

extension Store {
  private static let cacheTable = "Z_MODELCACHE"
  private static let largestCache: Int64 = 16 << 20

  /// The content of the model cache as it is stored; nil when there is none.
  package func modelCacheContent() throws -> [UInt8]? {
    guard schema.objects.contains(where: { $0.name == Self.cacheTable }) else { return nil }
    return try reading("cannot read the model cache", of: Self.cacheTable) {
      try tables.require(["Z_CONTENT"], of: Self.cacheTable)
      return try connection.scalar(
        """
        SELECT Z_CONTENT FROM Z_MODELCACHE
        WHERE typeof(Z_CONTENT) = 'blob' AND length(Z_CONTENT) <= ?1
        """, [.integer(Self.largestCache)])?.blob
    }
  }

  /// The store's own model, compared with the hashes in its metadata.
  ///
  /// - Throws: ``Failure`` when the two disagree: then neither can be believed.
  package func cachedModel() throws -> CachedModel {
    guard let content = try modelCacheContent() else {
      let why = "It holds no archive, or one of more than 16 MiB."
      return try hasCacheRow() ? .damaged(why) : .none
    }
    let model: Model
    do {
      model = try CompiledModelReader.readCache(content, name: cachedName)
    } catch let error as Failure {
      return .damaged(error.why)
    }
    try check(model)
    return .model(try model.with(recordedHashes: metadata.hashes))
  }

  private func hasCacheRow() throws -> Bool {
    guard schema.table(Self.cacheTable) != nil else { return false }
    return try reading("cannot read the model cache", of: Self.cacheTable) {
      try connection.integer("SELECT 1 FROM Z_MODELCACHE LIMIT 1") != nil
    }
  }

  private var cachedName: String {
    metadata.identifiers.isEmpty
      ? "the store's own model" : metadata.identifiers.joined(separator: ", ")
  }

  private func check(_ model: Model) throws {
    let hashes = VersionHashes(of: model)
    let names = Set(model.entities.map(\.name))
    let differing = names.filter { name in
      guard let recorded = metadata.hashes[name] else { return true }
      return hashes.entities[name].map { $0 != recorded } ?? false
    }
    let missing = metadata.hashes.keys.filter { !names.contains($0) }
    guard let name = (differing + missing).sortedByName().first else { return }
    throw Failure(
      .unusable, what: "cannot find out the store's model", subject: subject("entity \(name)"),
      why: "The version hash in the store's metadata is not that of the model cached in the store.",
      remedy: "Find out what changed the store, or restore it from a backup.")
  }
}
