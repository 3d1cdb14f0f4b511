/// What has to be done with links on their way from the source's storage to the target's.
public enum LinkMove: String, Sendable, Hashable, CaseIterable {
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
