/// Finds the tables of pairs of a model, and which of two relationships names each.
struct JoinTables {
  /// A relationship and the entity that declares it.
  private typealias Side = (relationship: Relationship, entity: Entity)

  private let numbered: NumberedModel
  private let masters: Set<PropertyReference>
  private let there: [String: [String]]
  private var families: [String: FamilyColumns]
  private var order: PropertyKeyOrder
  private var settled: Set<PropertyReference> = []
  private var tables: [JoinTable] = []

  /// The tables of a model, by name; `masters` are relationships of a store that name their table
  /// although the inverse should, `there` the columns of its tables of pairs.
  static func of(
    _ numbered: NumberedModel, _ families: [FamilyColumns], masters: Set<PropertyReference>,
    there: [String: [String]]
  ) throws(Failure) -> [JoinTable] {
    var found = JoinTables(numbered, families, masters, there)
    found.visit()
    for table in found.tables {
      try SchemaNames.checkUnique(table.columns, "the table \(table.name)", in: numbered.model)
    }
    return found.tables.sorted { NameOrder.precedes($0.name, $1.name) }
  }

  private init(
    _ numbered: NumberedModel, _ families: [FamilyColumns], _ masters: Set<PropertyReference>,
    _ there: [String: [String]]
  ) {
    (self.numbered, self.masters, self.there) = (numbered, masters, there)
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
    let name = name(of: master)
    let second = column(of: partner, "Z_", after: master, in: name)
    let first = column(of: master, "Z_", after: partner, in: name)
    return JoinTable(
      name: name, master: reference(master), inverse: reference(partner),
      first: first, second: second,
      masterPosition: master.relationship.isOrdered
        ? column(of: partner, "Z_FOK_", after: master, in: name) : nil,
      inversePosition: partner.relationship.isOrdered
        ? column(of: master, "Z_FOK_", after: partner, in: name) : nil)
  }

  private mutating func reflexive(_ side: Side) -> JoinTable {
    let name = name(of: side)
    let first = column(of: side, "Z_", after: side, in: name)
    return JoinTable(
      name: name, master: reference(side), inverse: reference(side), first: first,
      second: "REFLEXIVE",
      masterPosition: side.relationship.isOrdered ? "FOK_REFLEXIVE" : nil, inversePosition: nil)
  }

  private func name(of side: Side) -> String {
    "Z_\(numbered.number(of: side.entity.name))\(side.relationship.name.uppercased())"
  }

  /// The name of a side's column: the number of its entity, and what the other side is called.
  ///
  /// A store may have it with another suffix: then it is the column of this name, whatever digits
  /// stand behind it.
  private mutating func column(
    of side: Side, _ prefix: String, after other: Side, in table: String
  ) -> String {
    let number = numbered.number(of: side.entity.name)
    let base = "\(prefix)\(number)\(other.relationship.name.uppercased())"
    let root = numbered.model.root(of: side.entity).name
    let name = families[root]?.takeName(base) ?? base
    guard let columns = there[table], !columns.contains(name) else { return name }
    let alike = columns.filter { column in
      column.hasPrefix(base)
        && column.utf8.dropFirst(base.utf8.count).allSatisfy { (48...57).contains($0) }
    }
    return alike.count == 1 ? alike[0] : name
  }
}
