internal import CoreDataStore

/// One reading of links from the source and what is written of it.
struct LinkPass: Hashable {
  /// Where links stand, seen from the end that a relationship begins at.
  enum Place: Hashable {
    case nearColumn
    case farColumn
    case joinTable
  }

  let reading: Place
  let writing: [Place]

  /// The passes that bring the links of one mapping over.
  ///
  /// Where each row has the other's key and both columns stay, each is read for itself: a link
  /// that only one of the rows knows of stays such a one. Where they become a table of pairs, the
  /// column of the relationship that names the table is read.
  static func passes(of link: LinkMapping, to target: StoreSchema) -> [LinkPass] {
    guard let source = link.sourceStorage else { return [] }
    let writing = places(link.targetStorage)
    if source == .bothColumns, link.targetStorage != .joinTable {
      return writing.map { LinkPass(reading: $0, writing: [$0]) }
    }
    let isFar =
      source == .bothColumns
      && !target.joinTables.contains { $0.master == link.forward.target }
    return [LinkPass(reading: places(source)[isFar ? 1 : 0], writing: writing)]
  }

  private static func places(_ storage: LinkStorage) -> [Place] {
    switch storage {
    case .ownColumn: [.nearColumn]
    case .farColumn: [.farColumn]
    case .bothColumns: [.nearColumn, .farColumn]
    case .joinTable: [.joinTable]
    }
  }
}
