internal import CoreDataStore
internal import Formats

/// Compares what two stores say of themselves.
enum MetadataComparison {
  /// What says nothing of the data: versions of the framework, digests of what is compared itself,
  /// and our log.
  private static let ignored: Set = [
    Metadata.Key.framework, "NSPersistenceMaximumFrameworkVersion", Metadata.Key.digest,
    Metadata.Key.checksum, Metadata.Key.log,
  ]

  /// The entries that differ, by key; the UUID first.
  static func differences(_ old: Metadata, _ new: Metadata) -> [ChangedMetadata] {
    let identity =
      old.uuid == new.uuid
      ? []
      : [
        ChangedMetadata(
          key: ChangedMetadata.uuid, old: .string(old.uuid), new: .string(new.uuid),
          isApplications: false)
      ]
    let own = Set(old.applicationKeys + new.applicationKeys + old.ubiquityKeys + new.ubiquityKeys)
    let keys = Set(old.entries.keys).union(new.entries.keys).subtracting(ignored)
    return identity
      + keys.sortedByName().filter { old.entries[$0] != new.entries[$0] }.map { key in
        ChangedMetadata(
          key: key, old: old.entries[key], new: new.entries[key],
          isApplications: own.contains(key))
      }
  }
}
