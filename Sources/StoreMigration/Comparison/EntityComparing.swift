internal import CoreDataStore
internal import SQLite

/// Compares the objects of one pair of entities.
struct EntityComparing {
  private let first: ComparedStore
  private let second: ComparedStore
  private let pair: EntityPair
  private let partners: PartnerTable
  private let values: ValueComparison
  private let hasCondition: Bool
  /// The relationships, by number, that lead an object of both stores to the same ones in the same
  /// order, as the pages show in which the links are.
  private let sameLinks: Set<Int>
  /// How many objects both stores have, where it is known that they are all, and that nothing of
  /// them differs but what is in ``pair`` still.
  private let knownCount: Int?

  /// How many rows lie between two reports of progress.
  private static let step = 1024

  init(
    _ first: ComparedStore, _ second: ComparedStore, _ pair: EntityPair, _ partners: PartnerTable,
    _ values: ValueComparison, _ choices: ComparisonChoices = ComparisonChoices()
  ) {
    (self.first, self.second, self.partners, self.values) = (first, second, partners, values)
    hasCondition = pair.oldCondition != nil || pair.newCondition != nil
    let isPairedByKey = !partners.isUsed(by: pair)
    func isSame(_ link: LinkPair) -> Bool {
      guard isPairedByKey, let old = link.old, let new = link.new,
        partners.partner(of: "key", new, old: old) == "key"
      else { return false }
      return old == new && choices.sameTables.contains(old.table)
        || old.isColumn && new.isColumn
          && choices.keptColumns.areSame(
            old.destination, of: old.table, new.destination, of: new.table)
    }
    var pair = pair
    let count = pair.old.flatMap { old in
      pair.new.flatMap { choices.keptColumns.count(of: old, as: $0) }
    }
    knownCount = isPairedByKey && !hasCondition ? count : nil
    if knownCount != nil {
      pair.links = pair.links.filter { !isSame($0) }
      pair.attributes = pair.attributes.filter { !pair.keeps($0, choices.keptColumns) }
    }
    self.pair = pair
    sameLinks = Set(pair.links.indices.filter { isSame(pair.links[$0]) })
  }

  /// Compares them all; gives back the counts.
  func run(
    _ progress: (ComparisonProgress) throws -> Void, _ body: (ChangedObject) throws -> Void
  ) throws -> ComparedEntity {
    var result = ComparedEntity(name: pair.name, from: pair.from, presence: pair.presence)
    if let knownCount, pair.attributes.isEmpty, pair.links.isEmpty {
      result.kept = knownCount
      return result
    }
    var rows = 0
    func report(_ object: ChangedObject?, isPair: Bool = false) throws {
      rows += 1
      if rows.isMultiple(of: Self.step) {
        try progress(ComparisonProgress(entity: pair.name, rows: rows))
      }
      guard let object else {
        if isPair { result.kept += 1 }
        return
      }
      result.count(object)
      try body(object)
    }
    try merge(report)
    if partners.isUsed(by: pair) { try addUnpaired(report) }
    return result
  }

  private func merge(_ report: (ChangedObject?, Bool) throws -> Void) throws {
    let old = try oldRows()
    let new = try newRows(partners.isUsed(by: pair) ? partners.paired(pair) : newRoster)
    var matched: Int64?
    while true {
      let before = old.flatMap { $0.isAtEnd ? nil : $0 }
      let after = new.flatMap { $0.isAtEnd ? nil : $0 }
      if let before, let after, before.place == after.place {
        if isWanted(before) || isWanted(after) { try report(try changed(before, after), true) }
        matched = before.place
        try after.advance()
      } else if let before, after.map({ before.place < $0.place }) ?? true {
        if matched != before.place, isWanted(before) { try report(try removed(before), false) }
        try before.advance()
      } else if let after {
        if isWanted(after) { try report(try added(after), false) }
        try after.advance()
      } else {
        return
      }
    }
  }

  private func addUnpaired(_ report: (ChangedObject?, Bool) throws -> Void) throws {
    guard let new = try newRows(partners.unpaired(pair)) else { return }
    while !new.isAtEnd {
      if isWanted(new) { try report(try added(new), false) }
      try new.advance()
    }
  }

  private func isWanted(_ rows: ObjectRows) -> Bool { !hasCondition || rows.isWanted }

  private func oldRows() throws -> ObjectRows? {
    guard let layout = pair.old else { return nil }
    return try ObjectRows(
      first, Roster(layout), condition: pair.oldCondition,
      attributes: pair.attributes.map(\.old), links: pair.links.map { ($0.old, { $0 }) },
      table: layout.table)
  }

  private var newRoster: Roster? { pair.new.map(Roster.init) }

  private func newRows(_ roster: Roster?) throws -> ObjectRows? {
    guard let layout = pair.new, let roster else { return nil }
    return try ObjectRows(
      second, roster, condition: pair.newCondition, attributes: pair.attributes.map(\.new),
      links: pair.links.map { link in
        (
          link.new,
          { key in
            link.new.map { partners.partner(of: key, $0, old: link.old) } ?? key
          }
        )
      }, table: layout.table)
  }
}

extension EntityPair {
  /// Whether it is known that an attribute has the same values in both stores.
  ///
  /// Of values in files the columns do not say it.
  fileprivate func keeps(_ attribute: AttributePair, _ columns: KeptColumns) -> Bool {
    guard let before = attribute.old, let after = attribute.new, attribute.isStoredAlike,
      !after.storage.isExternal, let old, let new
    else { return false }
    return columns.areSame(before.name, of: old.table, after.name, of: new.table)
  }
}

// One object.
extension EntityComparing {
  private func changed(_ old: ObjectRows, _ new: ObjectRows) throws -> ChangedObject? {
    let first = old.row
    let second = new.row
    var changes: [ChangedValue] = []
    for (number, attribute) in pair.attributes.enumerated() {
      let change = try values.difference(
        attribute, first, old.columns[number], second, new.columns[number])
      if let change { changes.append(change) }
    }
    let links = try links(old, new)
    guard !changes.isEmpty || !links.isEmpty else { return nil }
    return ChangedObject(
      .changed, source: id(old, pair.old), object: id(new, pair.new), values: changes,
      links: links)
  }

  private func removed(_ old: ObjectRows) throws -> ChangedObject {
    let row = old.row
    var changes: [ChangedValue] = []
    for (number, attribute) in pair.attributes.enumerated() {
      let value = try values.oldValue(attribute, row, old.columns[number])
      if value.isThere { changes.append(ChangedValue(attribute.name, old: value, new: .absent)) }
    }
    return ChangedObject(
      .removed, source: id(old, pair.old), object: nil, values: changes,
      links: try links(old, nil))
  }

  private func added(_ new: ObjectRows) throws -> ChangedObject {
    let row = new.row
    var changes: [ChangedValue] = []
    for (number, attribute) in pair.attributes.enumerated() {
      let value = try values.newValue(attribute, row, new.columns[number])
      if value.isThere { changes.append(ChangedValue(attribute.name, old: .absent, new: value)) }
    }
    return ChangedObject(
      .added, source: try partners.origin(of: new.key, pair.name), object: id(new, pair.new),
      values: changes, links: try links(nil, new))
  }

  private func id(_ rows: ObjectRows, _ layout: EntityLayout?) -> ObjectID? {
    layout.map { ObjectID(entity: $0.name, key: rows.key) }
  }

  private func links(_ old: ObjectRows?, _ new: ObjectRows?) throws -> [ChangedLink] {
    var changes: [ChangedLink] = []
    for (number, link) in pair.links.enumerated() {
      if old != nil, new != nil, sameLinks.contains(number) { continue }
      let change = try LinkComparison.difference(
        link, try old?.links(number) ?? [], try new?.links(number) ?? [],
        nameOld: { try Self.name($0, link.old, first) },
        nameNew: { try Self.name($0, link.new, second) })
      if !change.isEmpty { changes.append(change) }
    }
    return changes
  }

  private static func name(
    _ key: Int64, _ rows: LinkRows?, _ store: ComparedStore
  ) throws -> ObjectID {
    guard let rows else { return ObjectID(entity: "", key: key) }
    let entity = try store.entity(of: key, in: rows.entityTable, declared: rows.entity)
    return ObjectID(entity: entity, key: key)
  }
}

/// Compares the links of one relationship of one object.
enum LinkComparison {
  /// What is different; `named` gives an object its entity.
  static func difference(
    _ pair: LinkPair, _ old: [ComparedLink], _ new: [ComparedLink],
    nameOld: (Int64) throws -> ObjectID, nameNew: (Int64) throws -> ObjectID
  ) rethrows -> ChangedLink {
    var change = ChangedLink(pair.name)
    if pair.new == nil { change.remove() }
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
