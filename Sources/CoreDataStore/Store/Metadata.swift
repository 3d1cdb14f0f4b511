package import Formats

/// What a store says of itself in Z_METADATA.
public struct Metadata: Sendable, Equatable {
  /// The store's identity, part of every saved object URI and history token.
  public let uuid: String
  /// The version hash of each entity of the model.
  public let hashes: [String: VersionHash]
  /// The identifiers a developer gave the model's version; a hint only, often wrong.
  public let identifiers: [String]
  /// The version of Core Data that wrote the store last.
  public let framework: Int64?
  /// SHA-512 over names and hashes, in newer stores.
  public let digest: String?
  /// SHA-256 over the hashes, in the newest stores.
  public let checksum: String?
  /// Every entry of the property list.
  package let entries: [String: PropertyList]
  /// The property list as it is stored.
  package let plist: [UInt8]

  /// What is wrong with a property list that can be read.
  package struct Problem: Error {
    package let why: String
  }

  /// Metadata from the two columns of Z_METADATA.
  package init(uuid: String, plist: [UInt8]) throws {
    guard let entries = try PropertyList(reading: plist).dictionary else {
      throw Problem(why: "Its property list is no dictionary.")
    }
    self.uuid = uuid
    self.plist = plist
    self.entries = entries
    hashes = try Self.hashes(entries)
    identifiers = (entries[Key.identifiers]?.array ?? []).compactMap(\.string)
      .filter { !$0.isEmpty }
    framework = entries[Key.framework]?.integer
    digest = entries[Key.digest]?.string
    checksum = entries[Key.checksum]?.string
    try check()
  }

  private static func hashes(_ entries: [String: PropertyList]) throws -> [String: VersionHash] {
    if let version = entries[Key.hashesVersion], version.integer != 3 {
      throw Problem(why: "Its version hashes are of another kind than the one that is known (3).")
    }
    guard let list = entries[Key.hashes]?.dictionary, !list.isEmpty else {
      throw Problem(why: "It has no version hashes, so its model is unknown.")
    }
    return try list.mapValues { value in
      guard let hash = value.data.flatMap(VersionHash.init(bytes:)) else {
        throw Problem(why: "A version hash in it is not 32 bytes long.")
      }
      return hash
    }
  }

  /// Compares the two digests with the hashes they were computed from.
  private func check() throws {
    if let digest, digest != VersionHashes.digest(of: hashes) {
      throw Problem(why: "The digest of its version hashes does not belong to these hashes.")
    }
    if let checksum, checksum != VersionHashes.checksum(of: hashes) {
      throw Problem(why: "The checksum of its version hashes does not belong to these hashes.")
    }
  }
}

extension Metadata {
  /// The keys that Core Data and this library write.
  package enum Key {
    package static let hashes = "NSStoreModelVersionHashes"
    package static let hashesVersion = "NSStoreModelVersionHashesVersion"
    package static let identifiers = "NSStoreModelVersionIdentifiers"
    package static let digest = "NSStoreModelVersionHashesDigest"
    package static let checksum = "NSStoreModelVersionChecksumKey"
    package static let framework = "NSPersistenceFrameworkVersion"
    package static let deferredMigration = "NSPersistentStoreDeferredLightweightMigrationOptionKey"
    package static let log = "PipelineLog"
    package static let ubiquityPrefix = "com.apple.coredata.ubiquity."
  }

  /// The names of all entries.
  public var keys: [String] { entries.keys.sortedByName() }

  /// Entries of the iCloud of old: such a store must not be taken for the one in the cloud.
  public var ubiquityKeys: [String] { keys.filter { $0.hasPrefix(Key.ubiquityPrefix) } }

  /// Entries that the application wrote.
  public var applicationKeys: [String] {
    keys.filter { key in
      !key.hasPrefix("NSStore") && !key.hasPrefix("NSPersisten") && !key.hasPrefix("_NS")
        && !key.hasPrefix(Key.ubiquityPrefix) && key != Key.log
    }
  }

  /// Whether a lightweight migration of Core Data has been begun and put off.
  public var hasDeferredMigration: Bool {
    guard let value = entries[Key.deferredMigration] else { return false }
    return value.bool != false && value.integer != 0
  }

  /// The runs of this library that the store has been through, one record each.
  package var log: [PropertyList] { entries[Key.log]?.array ?? [] }

  /// The run that made the store what it is: the last one that the log names.
  package var lastRun: String? { log.last?.dictionary?["run"]?.string }
}
