internal import Formats

/// The metadata and the model cache of a new store.
package struct NewStoreMetadata {
  /// The property list of Z_METADATA.
  package let plist: [UInt8]
  /// The content of Z_MODELCACHE; nil when there is to be no such table.
  let modelCache: [UInt8]?

  /// - Throws: ``Failure`` when the model has an entity without a version hash, or the archive
  ///   is not that model: Core Data would not open the store.
  package init(_ schema: StoreSchema, _ contents: NewStoreContents) throws {
    let hashes = VersionHashes(of: schema.model)
    if let entity = hashes.missing.first {
      throw SchemaNames.problem(
        schema.model, "entity \(entity)",
        "Its version hash is not known. \(hashes.uncertain[entity] ?? "")",
        remedy: "Give the compiled model with its VersionInfo.plist, or a store that has the hash.")
    }
    let own = Self.entries(schema, hashes)
    plist = try BinaryPropertyListWriter.write(
      .dictionary(contents.metadata.merging(own) { _, own in own }))
    modelCache = try Self.cache(contents.modelCache, schema, hashes)
  }

  private static func entries(
    _ schema: StoreSchema, _ hashes: VersionHashes
  ) -> [String: PropertyList] {
    let framework = schema.framework
    var entries: [String: PropertyList] = [
      Metadata.Key.hashes: .dictionary(hashes.entities.mapValues { .data($0.bytes) }),
      Metadata.Key.hashesVersion: .integer(3),
      Metadata.Key.identifiers: .array(schema.model.versionIdentifiers.map(PropertyList.string)),
      Metadata.Key.framework: .integer(framework.number),
      "NSStoreType": .string("SQLite"),
      // A string, as every store has it.
      "_NSAutoVacuumLevel": .string("2"),
    ]
    if framework.writesDigest {
      entries[Metadata.Key.digest] = hashes.digest.map(PropertyList.string)
    }
    if framework.writesChecksum {
      entries[Metadata.Key.checksum] = hashes.checksum.map(PropertyList.string)
    }
    if framework.writesMaximum {
      entries["NSPersistenceMaximumFrameworkVersion"] = .integer(framework.number)
    }
    return entries
  }

  private static func cache(
    _ source: NewStoreContents.ModelCache, _ schema: StoreSchema, _ hashes: VersionHashes
  ) throws -> [UInt8]? {
    guard schema.framework.keepsModel else { return nil }
    let content: [UInt8]
    switch source {
    case .none: return nil
    case .archive(let archive): content = try Deflate.compress(archive)
    case .cached(let cached): content = cached
    }
    let model = try CompiledModelReader.readCache(content, name: schema.model.name)
    let found = VersionHashes(of: model)
    let isSame =
      Set(model.entities.map(\.name)) == Set(schema.model.entities.map(\.name))
      && found.entities.allSatisfy { hashes.entities[$0.key] == $0.value }
    guard isSame else {
      throw Failure(
        .unusableModel, what: "cannot put the model into the new store", subject: schema.model.name,
        why: "The archive given for it has other version hashes.",
        remedy: "Take the compiled model and the model from the same build.")
    }
    return content
  }
}
