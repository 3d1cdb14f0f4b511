import CoreDataStore
import Formats

/// Finds object URIs that a store holds as text, in its metadata and its attributes.
struct URIMentions {
  /// What every object URI begins with.
  static let scheme = "x-coredata://"

  /// The places that hold some.
  let found: [PlannedURIs.Mention]

  init(_ store: Store, _ schema: StoreSchema) throws {
    let entries = store.metadata.entries.sorted { $0.key < $1.key }
    let keys = entries.compactMap { key, value -> PlannedURIs.Mention? in
      let count = Self.count(in: value)
      return count > 0 ? PlannedURIs.Mention(place: "metadata \(key)", count: count) : nil
    }
    found =
      keys
      + (try store.mentions(of: Self.scheme, in: schema)).map {
        PlannedURIs.Mention(place: $0.attribute.description, count: $0.count)
      }
  }

  private static func count(in value: PropertyList) -> Int64 {
    switch value {
    case .string(let text): text.contains(scheme) ? 1 : 0
    case .array(let values): values.reduce(0) { $0 + count(in: $1) }
    case .dictionary(let values): values.values.reduce(0) { $0 + count(in: $1) }
    default: 0
    }
  }
}
