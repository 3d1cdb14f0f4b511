package import CoreDataStore

/// What `model hash` says: the version hashes of a model, and the digests computed from them.
package struct ModelHashReport: Sendable {
  /// A hash that cannot be computed, and what is known instead.
  package struct Doubt: Equatable, Sendable {
    package let entity: String
    /// Why its hash cannot be computed.
    package let why: String
    /// Whether a hash was recorded next to the model, so that it is known all the same.
    package let isRecorded: Bool
  }

  /// The model's name.
  package let version: String
  /// The entities by name, with their hashes in base64 where they are known.
  package let entities: [(name: String, hash: String?)]
  /// The entities whose hash cannot be computed, by name.
  package let doubts: [Doubt]
  /// `NSStoreModelVersionHashesDigest`, nil when a hash is not known.
  package let digest: String?
  /// `NSStoreModelVersionChecksumKey`, nil when a hash is not known.
  package let checksum: String?

  package init(_ model: Model) {
    let hashes = VersionHashes(of: model)
    version = model.name
    entities = model.entities.map { ($0.name, hashes.entities[$0.name]?.base64) }
    doubts = model.entities.compactMap { entity in
      hashes.uncertain[entity.name].map {
        Doubt(entity: entity.name, why: $0, isRecorded: hashes.entities[entity.name] != nil)
      }
    }
    digest = hashes.digest
    checksum = hashes.checksum
  }

  /// What a person should know in addition to the answer, a sentence or two each.
  package var notes: [String] {
    doubts.map { doubt in
      let remedy =
        doubt.isRecorded
        ? "The one that was recorded next to the model is shown."
        : "Give the compiled .momd with its VersionInfo.plist, or a store that has the hash."
      return "the version hash of \(doubt.entity) cannot be computed: \(doubt.why). \(remedy)"
    }
  }
}
