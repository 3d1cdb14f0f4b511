public import CoreDataStore

/// How one relationship of the target, together with its inverse, gets its links.
///
/// Links are read once, in the direction of ``relationship``.
public struct LinkMapping: Sendable, Hashable {
  /// What becomes of the order of the objects at one end.
  public enum Order: String, Sendable, Hashable {
    /// There is none.
    case none
    /// The order keys travel with the links.
    case kept
    /// Keys are given, `2048 + 1024 * i` in the order of Z_PK, from 0 for each owner.
    case numbered
    /// There was one, and it ends.
    case dropped
  }

  /// One direction of a link in the target: what leads from one object to others.
  public struct Direction: Sendable, Hashable {
    /// The relationship in this direction, when the target has one.
    public let target: PropertyReference?
    /// The relationship in this direction, when the source has one.
    public let source: PropertyReference?
    /// What becomes of the order.
    public let order: Order
    /// Whether many may have been where one can be, so that links may be discarded.
    public let narrows: Bool
    /// Which object is kept, when the direction narrows; nil then only beside a problem.
    public let keep: LinkChoice.Keep?
  }

  /// From the objects that have the relationship.
  public let forward: Direction
  /// Back to them.
  public let backward: Direction
  /// How the source stores the links, as ``forward`` sees it; nil when it has none.
  public let sourceStorage: LinkStorage?
  /// How the target stores the links, as ``forward`` sees it.
  public let targetStorage: LinkStorage
  /// The rule that pairs the relationships; `NULL` when nothing does.
  public let rule: MappingRule

  /// The relationship of the target that it is about.
  public var relationship: PropertyReference? { forward.target }

  /// What has to be done.
  public var move: LinkMove { LinkMove(from: sourceStorage, to: targetStorage) }

  /// Whether links may be discarded, which are then counted.
  public var mayDiscard: Bool { forward.narrows || backward.narrows }
}
