package import CoreDataStore

/// How one relationship of the target, together with its inverse, gets its links.
///
/// Links are read once, in the direction of ``relationship``.
package struct LinkMapping: Sendable, Hashable {
  /// What happens to the order of the objects at one end.
  package enum Order: String, Sendable, Hashable {
    /// There is none.
    case none
    /// The order keys travel with the links.
    case kept
    /// They get the places that Core Data gives them when a relationship becomes ordered.
    case numbered
    /// There was one, and it ends.
    case dropped
  }

  /// One direction of a link in the target: what leads from one object to others.
  package struct Direction: Sendable, Hashable {
    /// The relationship in this direction, when the target has one.
    package let target: PropertyReference?
    /// The relationship in this direction, when the source has one.
    package let source: PropertyReference?
    /// Whether the one became the other, by its name, a renaming identifier or the pipeline file;
    /// else only the opposite relationships did, and this one is new.
    package let isPaired: Bool
    package let order: Order
    /// Whether many may have been where one can be, so that links may be discarded.
    package let narrows: Bool
    /// Which object is kept, when the direction narrows; nil then only along with a problem.
    package let keep: LinkChoice.Keep?
  }

  /// From the objects that have the relationship.
  package let forward: Direction
  package let backward: Direction
  /// How the source stores the links, as ``forward`` sees it; nil when it has none.
  package let sourceStorage: LinkStorage?
  /// How the target stores the links, as ``forward`` sees it.
  package let targetStorage: LinkStorage
  /// Whether the opposite relationship has a column of its own, whose links come from elsewhere.
  package let isOneSided: Bool
  /// The rule that pairs the relationships; `NULL` when nothing does.
  package let rule: MappingRule

  /// The relationship of the target that it is about.
  package var relationship: PropertyReference? { forward.target }

  /// What has to be done.
  package var move: LinkMove { LinkMove(from: sourceStorage, to: targetStorage) }

  /// Whether links may be discarded, which are then counted.
  package var mayDiscard: Bool { forward.narrows || backward.narrows }
}

/// What has to be done with links on their way from the source's storage to the target's.
package enum LinkMove: String, Sendable, Hashable, CaseIterable {
  /// There are none.
  case empty
  /// They stand in the same place.
  case same
  /// From the column of one row to the column of another, or to both.
  case columnToColumn = "column to column"
  case columnToJoin = "column to join table"
  case joinToColumn = "join table to column"

  /// The move between two storages.
  init(from source: LinkStorage?, to target: LinkStorage) {
    self =
      switch (source, target) {
      case (nil, _): .empty
      case (let source?, let target) where source == target: .same
      // The column that stays has the same keys; the other one simply ends.
      case (.bothColumns, .ownColumn), (.bothColumns, .farColumn): .same
      case (.joinTable, _): .joinToColumn
      case (_, .joinTable): .columnToJoin
      default: .columnToColumn
      }
  }
}
