/// Compares the links of one relationship of one object.
enum LinkComparison {
  /// What is different; `named` gives an object its entity.
  static func difference(
    _ pair: LinkPair, _ old: [ComparedLink], _ new: [ComparedLink],
    nameOld: (Int64) throws -> ObjectID, nameNew: (Int64) throws -> ObjectID
  ) rethrows -> ChangedLink {
    var change = ChangedLink(pair.name)
    let before = old.map(\.key)
    let after = new.compactMap(\.partner)
    if before == after, after.count == new.count { return change }
    var rest: [Int64: Int] = [:]
    for key in before { rest[key, default: 0] += 1 }
    for link in new {
      if let partner = link.partner, let count = rest[partner] {
        rest[partner] = count == 1 ? nil : count - 1
      } else if !pair.countsOnlyOrder {
        change.gain(try nameNew(link.key))
      }
    }
    if !pair.countsOnlyOrder {
      for key in before where rest[key] != nil { change.lose(try nameOld(key)) }
    }
    if pair.isOrdered, rest.isEmpty, before.count == new.count, change.isEmpty {
      change.reorder()
    }
    return change
  }
}
