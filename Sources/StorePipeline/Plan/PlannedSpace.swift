internal import CoreDataStore
package import StoreReplacement

/// The room that a run takes in addition to the store.
public struct PlannedSpace: Sendable, Hashable {
  /// The bytes that are free; nil when that is unknown.
  public let free: Int64?

  /// What is needed on which disk; nil where only the sum is known.
  package let places: SpaceNeeded?

  /// What the store takes, with its -wal and without its large values; nil where it is unknown.
  let store: Int64?

  private let sum: Int64
  private let folder: WorkFolder?

  /// Figures that are known already; in a `folder`, a part of them may be saved.
  package init(
    needed: Int64, free: Int64?, places: SpaceNeeded? = nil, of store: Int64? = nil,
    in folder: WorkFolder? = nil
  ) {
    (sum, self.store, self.folder) = (needed, store, folder)
    self.free = free
    self.places = places
  }

  /// The bytes that must be free.
  ///
  /// Whether copies share blocks is tried with files: only when it is asked for.
  public var needed: Int64 { folder.flatMap { try? places?.total(in: $0) } ?? sum }

  /// Whether the room is there, as far as is known.
  public var isEnough: Bool { free.map { $0 >= needed } ?? true }
}
