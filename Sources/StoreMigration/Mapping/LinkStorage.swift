/// Where a link between two objects stands, seen from the owner of a relationship.
package enum LinkStorage: String, Sendable, Hashable, CaseIterable {
  /// The destination's key stands in the owner's row.
  case ownColumn = "own column"
  /// The owner's key stands in the destination's row.
  case farColumn = "far column"
  /// Each row has the other's key.
  case bothColumns = "both columns"
  /// Both keys stand in a row of a join table.
  case joinTable = "join table"

  /// The storage of a relationship that leads to one or many, and of its inverse when there is one.
  init(isToMany: Bool, inverseIsToMany: Bool?) {
    self =
      switch (isToMany, inverseIsToMany) {
      case (false, nil), (false, true): .ownColumn
      case (false, false): .bothColumns
      // A to-many without an inverse has its column in the destination's table, too.
      case (true, nil), (true, false): .farColumn
      case (true, true): .joinTable
      }
  }

  /// Whether an owner can have only one destination.
  var leadsToOne: Bool { self == .ownColumn || self == .bothColumns }

  /// Whether a destination can have only one owner.
  var leadsBackToOne: Bool { self == .farColumn || self == .bothColumns }
}
