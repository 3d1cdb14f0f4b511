internal import Formats

/// Makes the metadata and the model cache of a new store.
struct NewStoreMetadata {
  private let schema: StoreSchema
  private let hashes: VersionHashes

  /// - Throws: ``ModelError`` when the model has an entity without a version hash: Core Data would
  ///   not open the store.
  init(_ schema: StoreSchema) throws(ModelError) {
    self.schema = schema
    hashes = VersionHashes(of: schema.model)
    guard let entity = hashes.missing.first else { return }
    throw SchemaNames.problem(
      schema.model, "entity \(entity)",
      "Its version hash is not known. \(hashes.uncertain[entity] ?? "")",
      remedy: "Give the compiled model with its VersionInfo.plist, or a store that has the hash.")
  }

  /// The property list of Z_METADATA.
  func plist(_ entries: [String: PropertyList]) throws(FormatError) -> [UInt8] {
    try BinaryPropertyListWriter.write(.dictionary(entries.merging(own) { _, own in own }))
  }

  private var own: [String: PropertyList] {
    var entries: [String: PropertyList] = [
      Metadata.Key.hashes: .dictionary(hashes.entities.mapValues { .data($0.bytes) }),
      Metadata.Key.hashesVersion: .integer(3),
      Metadata.Key.identifiers: .array(schema.model.versionIdentifiers.map(PropertyList.string)),
      Metadata.Key.framework: .integer(schema.framework.number),
      "NSStoreType": .string("SQLite"),
      // A string, as every store has it.
      "_NSAutoVacuumLevel": .string("2"),
    ]
    if schema.framework.writesDigest {
      entries[Metadata.Key.digest] = hashes.digest.map(PropertyList.string)
    }
    if schema.framework.writesChecksum {
      entries[Metadata.Key.checksum] = hashes.checksum.map(PropertyList.string)
    }
    if schema.framework.writesMaximum {
      entries["NSPersistenceMaximumFrameworkVersion"] = .integer(schema.framework.number)
    }
    return entries
  }

  /// The content of Z_MODELCACHE; nil when there is to be no such table.
  ///
  /// - Throws: ``ModelError`` when the archive is not the model of the schema: a wrong one is worse
  ///   than none.
  func modelCache(_ source: NewStoreContents.ModelCache) throws -> [UInt8]? {
    guard schema.framework.keepsModel else { return nil }
    let content: [UInt8]
    switch source {
    case .none: return nil
    case .archive(let archive): content = try Deflate.compress(archive)
    case .cached(let cached): content = cached
    }
    let model = try CompiledModelReader.readCache(content, name: schema.model.name)
    guard VersionHashes(of: model).entities == hashes.entities || !hashes.uncertain.isEmpty else {
      throw ModelError(
        what: "cannot put the model into the new store", subject: schema.model.name,
        why: "The archive given for it has other version hashes.",
        remedy: "Take the compiled model and the model from the same build.")
    }
    return content
  }
}
