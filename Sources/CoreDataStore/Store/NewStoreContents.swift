internal import Foundation
package import Formats

/// What a new store says of itself, in addition to its schema.
package struct NewStoreContents: Sendable {
  /// Where the store's own copy of its model comes from.
  package enum ModelCache: Sendable {
    /// Nowhere: the table is left out, and Core Data makes it again.
    case none
    /// A keyed archive, the bytes of a `.mom`.
    case archive([UInt8])
    /// The content of another store's Z_MODELCACHE.
    case cached([UInt8])
  }

  /// The store's identity.
  package var uuid: String
  /// The store's own copy of its model.
  package var modelCache: ModelCache
  /// Whether it has the tables in which Core Data keeps the history of changes.
  package var keepsHistory: Bool
  /// Entries of the metadata in addition to those that every store has; the latter win.
  package var metadata: [String: PropertyList]
  package var pageSize: Int

  /// A store with an identity of its own, without a model cache and without a history.
  package init(
    uuid: String = UUID().uuidString, modelCache: ModelCache = .none, keepsHistory: Bool = false,
    metadata: [String: PropertyList] = [:], pageSize: Int = 4096
  ) {
    self.uuid = uuid
    self.modelCache = modelCache
    self.keepsHistory = keepsHistory
    self.metadata = metadata
    self.pageSize = pageSize
  }
}
