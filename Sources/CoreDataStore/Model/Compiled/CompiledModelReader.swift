internal import Formats

/// Reads a compiled model: a `.mom` file, or the archive in a store's model cache.
package enum CompiledModelReader {
  /// Real models of several hundred entities hold some tens of thousands of objects.
  static let limits = FormatLimits(bytes: 64 << 20, nodes: 2_000_000, depth: 64)

  /// The model in a keyed archive.
  ///
  /// - Throws: ``Failure`` when the bytes are not such an archive, or its model is not whole.
  package static func read(
    _ bytes: [UInt8], name: String, recordedHashes: [String: VersionHash] = [:]
  ) throws -> Model {
    let budget = UnfoldBudget()
    let parts: Parts
    do {
      parts = try Self.parts(CompiledObject(root(bytes), budget: budget), budget)
    } catch {
      // What is not found any more is missed first.
      try budget.check()
      throw error
    }
    try budget.check()
    return try Model(
      name: name, entities: parts.entities, versionIdentifiers: parts.identifiers,
      configurations: parts.configurations, fetchRequests: parts.requests,
      recordedHashes: recordedHashes)
  }

  private struct Parts {
    let entities: [Entity]
    let identifiers: [String]
    let configurations: [String: [String]]
    let requests: [FetchRequest]
  }

  private static func parts(_ root: CompiledObject, _ budget: UnfoldBudget) throws -> Parts {
    guard root.isKind(of: "NSManagedObjectModel") else {
      throw Failure(
        readingModel: "",
        why: "Its archive holds no data model, but \(root.className ?? "a value").")
    }
    guard let entities = root["NSEntities"]?.entries else {
      throw Failure(readingModel: "", why: "Its data model has no list of entities.")
    }
    return Parts(
      entities: try CompiledEntities(entities.map(\.value), budget: budget).read(),
      identifiers: (root["NSVersionIdentifiers"]?.elements ?? []).compactMap(\.string),
      configurations: configurations(root), requests: fetchRequests(root))
  }

  /// The model in a store's model cache: raw deflate of a keyed archive.
  package static func readCache(
    _ bytes: [UInt8], name: String, recordedHashes: [String: VersionHash] = [:]
  ) throws -> Model {
    let archive: [UInt8]
    do {
      archive = try Deflate.inflate(bytes, limit: limits.bytes)
    } catch {
      throw Failure(
        readingModel: "model cache", why: "It cannot be unpacked: \(error).",
        remedy: "Name the model's own file instead.")
    }
    return try read(archive, name: name, recordedHashes: recordedHashes)
  }

  private static func root(_ bytes: [UInt8]) throws -> KeyedArchive.Object {
    do {
      return try KeyedArchive(bytes, limits: limits).root
    } catch {
      throw Failure(readingModel: "", why: "It is not a compiled data model: \(error).")
    }
  }

  /// The configurations a developer made; the one of Core Data itself holds everything anyway.
  private static func configurations(_ root: CompiledObject) -> [String: [String]] {
    var configurations: [String: [String]] = [:]
    for (key, value) in root["NSConfigurations"]?.entries ?? [] {
      guard let name = key.string, name != "PF_DEFAULT_CONFIGURATION_NAME" else { continue }
      configurations[name] = (value.elements ?? []).compactMap { $0["NSEntityName"]?.string }
    }
    return configurations
  }

  private static func fetchRequests(_ root: CompiledObject) -> [FetchRequest] {
    (root["NSFetchRequestTemplates"]?.entries ?? []).compactMap { key, value in
      key.string.map { CompiledPropertyReader.fetchRequest(value, name: $0) }
    }
  }
}
