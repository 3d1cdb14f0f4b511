/// The room that a run takes beside the store.
public struct PlannedSpace: Sendable, Hashable {
  /// The bytes that must be free.
  public let needed: Int64
  /// The bytes that are free; nil when nobody can say.
  public let free: Int64?

  /// Figures that are at hand.
  package init(needed: Int64, free: Int64?) {
    self.needed = needed
    self.free = free
  }

  /// Whether the room is there, as far as anybody can say.
  public var isEnough: Bool { free.map { $0 >= needed } ?? true }
}
