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
  /// that only one of the rows knows of stays such a one.
  static func passes(of link: LinkMapping) -> [LinkPass] {
    guard let source = link.sourceStorage else { return [] }
    let writing = places(link.targetStorage)
    if source == .bothColumns, link.targetStorage != .joinTable {
      return writing.map { LinkPass(reading: $0, writing: [$0]) }
    }
    return [LinkPass(reading: places(source)[0], writing: writing)]
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
