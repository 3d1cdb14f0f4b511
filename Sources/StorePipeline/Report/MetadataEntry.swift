package import CoreDataStore
internal import Formats

/// One entry of a store's metadata, as far as it may be shown.
package struct MetadataEntry: Sendable {
  package enum Writer: String, Sendable {
    /// Core Data.
    case coreData = "Core Data"
    /// Core Data, when the store was kept in iCloud.
    case iCloud
    /// The application; its values may be a user's data.
    case application
    /// This program.
    case pipeline
  }

  package let key: String
  /// Who wrote it.
  package let writer: Writer
  /// What the value is, without its content: `string, 12 B`.
  package let kind: String
  /// The value in JSON; nil when it is not to be shown.
  package let value: String?
  /// The version hash of each entity, where the value consists of those.
  package let hashes: [(entity: String, hash: String)]
  let json: JSONValue

  /// The entries by key; the application's with values only if wanted.
  package static func all(of metadata: Metadata, showsValues: Bool) -> [MetadataEntry] {
    let (own, cloud) = (Set(metadata.applicationKeys), Set(metadata.ubiquityKeys))
    return metadata.keys.compactMap { key in
      metadata.entries[key].map { value in
        let writer: Writer =
          own.contains(key)
          ? .application
          : cloud.contains(key) ? .iCloud : key == "PipelineLog" ? .pipeline : .coreData
        let isShown = showsValues || writer == .coreData || writer == .pipeline
        return MetadataEntry(key: key, writer: writer, value, isShown: isShown)
      }
    }
  }

  private init(key: String, writer: Writer, _ value: PropertyList, isShown: Bool) {
    self.key = key
    self.writer = writer
    kind = value.kindWords
    let isHashes = key == "NSStoreModelVersionHashes"
    let json = isHashes ? value.hashes : value.json
    self.json = isShown ? json : value.kindJSON
    self.value = isShown ? json.spaced : nil
    hashes = (isHashes ? json.members ?? [] : []).compactMap { member in
      member.value.string.map { (member.name, $0) }
    }
  }
}
