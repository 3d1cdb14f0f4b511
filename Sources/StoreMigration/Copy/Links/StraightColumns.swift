internal import CoreDataStore

/// The columns of a table of pairs whose links come over as they are, as far as a mapping shows.
struct StraightColumns {
  let sourceTable: String
  let targetTable: String
  /// Each column of the target with that of the source.
  let columns: [(target: String, source: String)]
  /// The objects in the first column.
  let near: LinkEnd
  /// The objects in the second one.
  let far: LinkEnd

  /// The columns for a gathering; nil when its links have to be looked at one by one.
  init?(_ pair: any StorePair, _ units: LinkUnits, _ gathering: LinkUnits.Gathering) {
    let link = gathering.link
    guard gathering.links.count == 1, gathering.writing == [.joinTable],
      link.sourceStorage == .joinTable, !link.mayDiscard,
      let old = LinkReading.join(link.forward.source, in: pair.sourceSchema),
      let new = LinkReading.join(link.forward.target, in: pair.targetSchema),
      let near = units.end(link, .near), let far = units.end(link, .far),
      near.keepsKeys, far.keepsKeys, near.strangers.isEmpty, far.strangers.isEmpty
    else { return nil }
    (sourceTable, targetTable) = (old.table, new.table)
    (self.near, self.far) = (near, far)
    var columns = [(new.source, old.source), (new.destination, old.destination)]
    let back = (
      LinkReading.join(link.backward.source, in: pair.sourceSchema)?.position,
      LinkReading.join(link.backward.target, in: pair.targetSchema)?.position
    )
    for (direction, old, new) in [
      (link.forward, old.position, new.position), (link.backward, back.0, back.1),
    ] where !columns.contains(where: { $0.0 == new }) {
      switch direction.order {
      case .none, .dropped: break
      case .kept:
        guard let old, let new else { return nil }
        columns.append((new, old))
      case .numbered: return nil
      }
    }
    self.columns = columns.map { (target: $0.0, source: $0.1) }
  }

  /// Whether the table and its columns have the same names.
  var isSame: Bool {
    sourceTable == targetTable && columns.allSatisfy { $0.target == $0.source }
  }
}
