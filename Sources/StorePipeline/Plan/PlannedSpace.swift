internal import CoreDataStore
package import StoreReplacement

/// The room that a run takes in addition to the store.
public struct PlannedSpace: Sendable, Hashable {
  /// The bytes that must be free.
  public let needed: Int64
  /// The bytes that are free; nil when that is unknown.
  public let free: Int64?

  /// What is needed on which disk; nil where only the sum is known.
  package let places: SpaceNeeded?

  /// Figures that are known already.
  package init(needed: Int64, free: Int64?, places: SpaceNeeded? = nil) {
    self.needed = needed
    self.free = free
    self.places = places
  }

  /// Whether the room is there, as far as is known.
  public var isEnough: Bool { free.map { $0 >= needed } ?? true }
}
