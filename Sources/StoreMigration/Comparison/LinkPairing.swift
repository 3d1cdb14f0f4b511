internal import CoreDataStore

/// Finds which relationship of one entity became which, and where both have their links.
///
/// A link is reported once: where a key column is on the side that has it, where a table of pairs
/// is on the side that names the table. The other side counts where it has an order.
struct LinkPairing {
  private let first: StoreSchema
  private let second: StoreSchema
  private let source: Entity?
  private let target: Entity?
  private let choices: ComparisonChoices
  private let areSame: Bool

  init(
    _ first: StoreSchema, _ second: StoreSchema, _ source: Entity?, _ target: Entity?,
    _ choices: ComparisonChoices, areSame: Bool
  ) {
    (self.first, self.second, self.source, self.target) = (first, second, source, target)
    (self.choices, self.areSame) = (choices, areSame)
  }

  func pairs() -> [LinkPair] {
    let before = source.map(first.model.allRelationships) ?? []
    let after = target.map(second.model.allRelationships) ?? []
    let sources = choices.sources(
      RenamingMatch(source: before, target: after, areEqual: areSame), in: target)
    let taken = Set(sources.values)
    let pairs = after.compactMap { relationship in
      pair(
        relationship.name,
        sources[relationship.name].flatMap { before.sortedFind($0) },
        relationship)
    }
    let gone = before.filter { !taken.contains($0.name) }.compactMap {
      pair($0.name, $0, nil)
    }
    return (pairs + gone).sorted { NameOrder.precedes($0.name, $1.name) }
  }

  private func pair(_ name: String, _ old: Relationship?, _ new: Relationship?) -> LinkPair? {
    let before = old.flatMap { Self.rows($0, source, first) }
    let after = new.flatMap { Self.rows($0, target, second) }
    guard before != nil || after != nil else { return nil }
    let isTold =
      new.map { Self.tells($0, target, second) } ?? old.map { Self.tells($0, source, first) }
      ?? false
    let isOrdered = before?.position != nil && after?.position != nil
    guard isTold || isOrdered else { return nil }
    return LinkPair(name: name, old: before, new: after, countsOnlyOrder: !isTold)
  }

  /// Whether the links are reported at this end of the relationship.
  static func tells(
    _ relationship: Relationship, _ entity: Entity?, _ schema: StoreSchema
  ) -> Bool {
    guard let entity, let layout = schema.entity(named: entity.name) else { return false }
    switch layout[relationship.name] {
    case .toOne: return true
    case .toMany(let storage): return !storage.hasInverse
    case .manyToMany(let storage):
      let owner = schema.model.relationship(named: relationship.name, of: entity)?.declaredBy.name
      return schema.joinTable(named: storage.table)?.master
        == PropertyReference(owner ?? entity.name, relationship.name)
    case .attribute, .notStored, nil: return false
    }
  }

  /// Where the links of a relationship are; nil where nothing stands for it.
  static func rows(
    _ relationship: Relationship, _ entity: Entity?, _ schema: StoreSchema
  ) -> LinkRows? {
    guard let entity, let layout = schema.entity(named: entity.name),
      let far = schema.entity(named: relationship.destination)
    else { return nil }
    func rows(_ table: String, _ owner: String, _ other: String, _ position: String?) -> LinkRows {
      LinkRows(
        table: table, owner: owner, destination: other, position: position, entity: far.name,
        entityTable: far.table)
    }
    switch layout[relationship.name] {
    case .toOne(let link): return rows(layout.table, "Z_PK", link.key.name, nil)
    case .toMany(let link): return rows(link.table, link.key.name, "Z_PK", link.position?.name)
    case .manyToMany(let link):
      return rows(link.table, link.source, link.destination, link.position)
    case .attribute, .notStored, nil: return nil
    }
  }
}
