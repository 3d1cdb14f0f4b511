internal import CoreDataStore
internal import Formats
internal import Foundation
internal import SQLite

/// The metadata of the finished store: the source's, but for the new model and the choices.
struct FinishedMetadata {
  let builder: StoreBuilder
  let choices: FinishChoices

  /// Entries that speak of the source's model: the new model's own take their place, or none.
  private static let ofTheModel = [
    Metadata.Key.hashes, Metadata.Key.hashesVersion, Metadata.Key.identifiers,
    Metadata.Key.digest, Metadata.Key.checksum,
  ]

  /// The entry that goes together with the history.
  static let history = "_NSStoreAncillaryModelVersionHashesMetadataKey"

  func write() throws {
    let source = try read()
    var contents = builder.store.contents
    contents.metadata = try entries(of: source)
    contents.modelCache = .none
    let plist = try NewStoreMetadata(builder.targetSchema, contents).plist
    try builder.connection.run(
      "UPDATE main.Z_METADATA SET Z_UUID = ?1, Z_PLIST = ?2",
      [.text(choices.newUUID ? UUID().uuidString : source.uuid), .blob(plist)])
  }

  private func read() throws -> Metadata {
    let row = try builder.connection.rows("SELECT Z_UUID, Z_PLIST FROM source.Z_METADATA")
    guard let uuid = row.first?[0].string, let plist = row.first?[1].blob else {
      throw problem("Z_METADATA has no UUID or no property list.")
    }
    do {
      return try Metadata(uuid: uuid, plist: plist)
    } catch let error as FormatError {
      throw problem("Its property list cannot be read: \(error).")
    } catch let error as Metadata.Problem {
      throw problem(error.why)
    }
  }

  private func problem(_ why: String) -> Failure {
    Failure(
      .unusable, what: "cannot read the metadata", subject: builder.sourcePath, why: why,
      remedy: Failure.restore)
  }

  private func entries(of source: Metadata) throws -> [String: PropertyList] {
    var entries = source.entries.filter { !isRemoved($0.key) }
    entries.merge(choices.setMetadata) { _, new in new }
    for key in Self.ofTheModel { entries[key] = nil }
    // The new store does not have the columns whose removal was deferred.
    entries[Metadata.Key.deferredMigration] = nil
    if choices.history == .drop { entries[Self.history] = nil }
    if !choices.carriesMirror {
      entries[Self.history] = entries[Self.history].map(Self.withoutMirror)
    }
    if choices.carriesMirror, try MirrorCopy(builder: builder).isNeeded {
      // Core Data sets it "when anything was updated": then it fetches the zones again.
      entries[MirrorTables.fetchesZones] = .dictionary([:])
    }
    if let record = choices.runRecord {
      entries[Metadata.Key.log] = .array(source.log + [try counted(record, source)])
    }
    return entries
  }

  /// The hashes of Core Data's own entities, without those of a mirror that stays behind.
  static func withoutMirror(_ hashes: PropertyList) -> PropertyList {
    hashes.dictionary.map { .dictionary($0.filter { !$0.key.hasPrefix("NSCK") }) } ?? hashes
  }

  /// The record of the run with the number of objects that the new store has.
  ///
  /// Its backup is known by the UUID that it had, when the new store gets another.
  private func counted(_ record: PropertyList, _ source: Metadata) throws -> PropertyList {
    guard var entries = record.dictionary else { return record }
    let counts = try builder.targetSchema.tables.map { table in
      let name = Identifier.quoted(table.name, in: "main")
      return try builder.connection.integer("SELECT count(*) FROM \(name)") ?? 0
    }
    entries["out"] = .integer(counts.reduce(0, +))
    if choices.newUUID { entries["replaced"] = .string(source.uuid) }
    return .dictionary(entries)
  }

  private func isRemoved(_ key: String) -> Bool {
    func fits(_ pattern: String) -> Bool { NamedInstruction(pattern).matches(key) }
    return choices.removeMetadata.contains(where: fits)
      && !choices.keepMetadata.contains(where: fits)
  }
}
