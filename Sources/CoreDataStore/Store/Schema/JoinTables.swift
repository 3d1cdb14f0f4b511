/// Finds the tables of pairs of a model, and which of two relationships names each.
struct JoinTables {
  /// A relationship and the entity that declares it.
  private typealias Side = (entity: Entity, relationship: Relationship)

  private let numbered: NumberedModel
  private let masters: Set<PropertyReference>
  private var columns: [PropertyReference: String] = [:]

  /// The tables of a model, by name; `masters` are relationships known to name their table.
  static func of(
    _ numbered: NumberedModel, masters: Set<PropertyReference>
  ) throws(Failure) -> [JoinTable] {
    let tables = JoinTables(numbered, masters).all
    for table in tables {
      try SchemaNames.checkUnique(table.columns, "the table \(table.name)", in: numbered.model)
    }
    return tables
  }

  private init(_ numbered: NumberedModel, _ masters: Set<PropertyReference>) {
    self.numbered = numbered
    self.masters = masters
    for entity in numbered.entities { nameColumns(of: entity) }
  }

  /// Names the column with the key of each side's own objects, after the inverse.
  ///
  /// Within an entity a repeated name gets a suffix, in the order of the relationships' names.
  private mutating func nameColumns(of entity: Entity) {
    var uses: [String: Int] = [:]
    for relationship in numbered.stored(entity) {
      guard let inverse = inverse(of: relationship), !isSame((entity, relationship), inverse)
      else { continue }
      let number = numbered.number(of: entity.name)
      let base = "Z_\(number)\(inverse.relationship.name.uppercased())"
      let use = uses[base, default: 0]
      uses[base] = use + 1
      columns[reference((entity, relationship))] = use == 0 ? base : "\(base)\(use)"
    }
  }

  /// The inverse, when both lead to many objects and are stored.
  private func inverse(of relationship: Relationship) -> Side? {
    guard relationship.isToMany, let found = numbered.model.inverse(of: relationship),
      found.relationship.isToMany, !found.relationship.isTransient
    else { return nil }
    return (found.declaredBy, found.relationship)
  }

  private func reference(_ side: Side) -> PropertyReference {
    PropertyReference(side.entity.name, side.relationship.name)
  }

  private func isSame(_ left: Side, _ right: Side) -> Bool { reference(left) == reference(right) }

  /// Entities that have sub-entities come before those without, and lower numbers before higher:
  /// the side met first is the master.
  private var all: [JoinTable] {
    let parents = numbered.entities.filter { numbered.hasSubentities($0.name) }
    let others = numbered.entities.filter { !numbered.hasSubentities($0.name) }
    var done: Set<PropertyReference> = []
    var tables: [JoinTable] = []
    for entity in parents + others {
      for relationship in numbered.stored(entity) {
        let side: Side = (entity, relationship)
        guard let inverse = inverse(of: relationship), done.insert(reference(side)).inserted else {
          continue
        }
        done.insert(reference(inverse))
        tables.append(table(of: side, inverse))
      }
    }
    return tables.sorted { NameOrder.precedes($0.name, $1.name) }
  }

  private func table(of side: Side, _ inverse: Side) -> JoinTable {
    guard !isSame(side, inverse) else { return reflexive(side) }
    guard side.entity.name == inverse.entity.name else {
      return table(master: side, inverse, isGuess: false)
    }
    return betweenObjectsOfOneEntity(side, inverse)
  }

  /// Core Data goes by the order of a hash table here: a store that has the table knows.
  private func betweenObjectsOfOneEntity(_ side: Side, _ inverse: Side) -> JoinTable {
    let known = (masters.contains(reference(side)), masters.contains(reference(inverse)))
    switch known {
    case (true, false): return table(master: side, inverse, isGuess: false)
    case (false, true): return table(master: inverse, side, isGuess: false)
    default:
      let isFirst = NameOrder.precedes(column(side), column(inverse))
      return isFirst
        ? table(master: side, inverse, isGuess: true) : table(master: inverse, side, isGuess: true)
    }
  }

  private func column(_ side: Side) -> String { columns[reference(side)] ?? "" }

  private func table(master: Side, _ inverse: Side, isGuess: Bool) -> JoinTable {
    let first = column(master)
    let second = column(inverse)
    return JoinTable(
      name: Self.name(numbered, master), master: reference(master), inverse: reference(inverse),
      first: first, second: second,
      masterPosition: master.relationship.isOrdered ? Self.position(second) : nil,
      inversePosition: inverse.relationship.isOrdered ? Self.position(first) : nil,
      isGuess: isGuess)
  }

  private func reflexive(_ side: Side) -> JoinTable {
    let name = Self.name(numbered, side)
    return JoinTable(
      name: name, master: reference(side), inverse: reference(side), first: name,
      second: "REFLEXIVE",
      masterPosition: side.relationship.isOrdered ? Self.position(name) : nil,
      inversePosition: nil, isGuess: false)
  }

  private static func name(_ numbered: NumberedModel, _ side: Side) -> String {
    "Z_\(numbered.number(of: side.entity.name))\(side.relationship.name.uppercased())"
  }

  private static func position(_ column: String) -> String { "Z_FOK_\(column.dropFirst(2))" }
}
