/// Finds the tables of pairs of a model, and which of two relationships names each.
struct JoinTables {
  /// A relationship and the entity that declares it.
  private typealias Side = (relationship: Relationship, entity: Entity)

  private let numbered: NumberedModel
  private let masters: Set<PropertyReference>
  private var families: [String: FamilyColumns]
  private var order: PropertyKeyOrder
  private var settled: Set<PropertyReference> = []
  private var tables: [JoinTable] = []

  /// The tables of a model, by name; `masters` are relationships of a store that name their table
  /// although the inverse should.
  static func of(
    _ numbered: NumberedModel, _ families: [FamilyColumns], masters: Set<PropertyReference>
  ) throws(Failure) -> [JoinTable] {
    var found = JoinTables(numbered, families, masters)
    found.visit()
    for table in found.tables {
      try SchemaNames.checkUnique(table.columns, "the table \(table.name)", in: numbered.model)
    }
    return found.tables.sorted { NameOrder.precedes($0.name, $1.name) }
  }

  private init(
    _ numbered: NumberedModel, _ families: [FamilyColumns], _ masters: Set<PropertyReference>
  ) {
    (self.numbered, self.masters) = (numbered, masters)
    self.families = Dictionary(families.map { ($0.root, $0) }) { first, _ in first }
    order = PropertyKeyOrder(numbered, families)
  }

  /// Visits all entities by name, each with the relationships that it inherits.
  ///
  /// Of two relationships the one that is met first is the master.
  private mutating func visit() {
    for entity in NumberedModel.ordered(numbered.entities) {
      for name in order.keys(of: entity) {
        guard let side = numbered.model.relationship(named: name, of: entity),
          let inverse = inverse(of: side.relationship),
          settled.insert(reference((side.relationship, side.declaredBy))).inserted
        else { continue }
        settled.insert(reference(inverse))
        add((side.relationship, side.declaredBy), inverse)
      }
    }
  }

  /// The inverse, when both lead to many objects and are stored.
  private func inverse(of relationship: Relationship) -> Side? {
    guard relationship.isToMany, !relationship.isTransient,
      let found = numbered.model.inverse(of: relationship), found.relationship.isToMany,
      !found.relationship.isTransient
    else { return nil }
    return (found.relationship, found.declaredBy)
  }

  private func reference(_ side: Side) -> PropertyReference {
    PropertyReference(side.entity.name, side.relationship.name)
  }

  private mutating func add(_ side: Side, _ inverse: Side) {
    guard reference(side) != reference(inverse) else {
      tables.append(reflexive(side))
      return
    }
    let isSwapped = masters.contains(reference(inverse)) && !masters.contains(reference(side))
    tables.append(isSwapped ? table(inverse, side) : table(side, inverse))
  }

  /// The partner's column gets its name first; a name that the family has gets a suffix.
  private mutating func table(_ master: Side, _ partner: Side) -> JoinTable {
    let second = takeName(of: partner, "Z_", after: master)
    let first = takeName(of: master, "Z_", after: partner)
    return JoinTable(
      name: name(of: master), master: reference(master), inverse: reference(partner),
      first: first, second: second,
      masterPosition: master.relationship.isOrdered
        ? takeName(of: partner, "Z_FOK_", after: master) : nil,
      inversePosition: partner.relationship.isOrdered
        ? takeName(of: master, "Z_FOK_", after: partner) : nil)
  }

  private func reflexive(_ side: Side) -> JoinTable {
    let name = name(of: side)
    return JoinTable(
      name: name, master: reference(side), inverse: reference(side), first: name,
      second: "REFLEXIVE",
      masterPosition: side.relationship.isOrdered ? "FOK_REFLEXIVE" : nil, inversePosition: nil)
  }

  private func name(of side: Side) -> String {
    "Z_\(numbered.number(of: side.entity.name))\(side.relationship.name.uppercased())"
  }

  /// The name of a side's column: the number of its entity, and what the other side is called.
  private mutating func takeName(of side: Side, _ prefix: String, after other: Side) -> String {
    let number = numbered.number(of: side.entity.name)
    let base = "\(prefix)\(number)\(other.relationship.name.uppercased())"
    let root = numbered.model.root(of: side.entity).name
    return families[root]?.takeName(base) ?? base
  }
}
