/// The columns of the table that a root shares with everything that inherits from it.
struct FamilyColumns {
  /// The root's name.
  let root: String
  /// The columns that belong to each property of the family, the main one first.
  private(set) var columns: [PropertyReference: [StoreColumn]] = [:]

  private let numbered: NumberedModel
  private let members: [Entity]
  private var groups: [ColumnGroup: [StoreColumn]] = [:]
  private var uses: [String: Int] = [:]

  init(_ root: Entity, in numbered: NumberedModel) throws(Failure) {
    self.root = root.name
    self.numbered = numbered
    members = numbered.members(of: root)
    for entity in members {
      for attribute in entity.attributesByColumn { try add(attribute, of: entity) }
      for relationship in numbered.stored(entity) where !relationship.isToMany {
        add(toOne: relationship, of: entity)
      }
      addOwners(of: entity)
    }
    let names = table.columns.map(\.name)
    try SchemaNames.checkUnique(names, "the table \(table.name)", in: numbered.model)
  }

  /// The table with its columns in the order of a fresh one.
  var table: EntityTable {
    EntityTable(
      name: NumberedModel.table(ofRoot: root), root: root, entities: members.map(\.name),
      columns: StoreColumn.fixed + ColumnGroup.allCases.flatMap { groups[$0] ?? [] })
  }

  private mutating func add(_ attribute: Attribute, of entity: Entity) throws(Failure) {
    guard !attribute.isTransient, attribute.type != .undefined else { return }
    let reference = PropertyReference(entity.name, attribute.name)
    guard let (type, group) = attribute.type.facts.column else {
      throw refusal(reference, attribute.type)
    }
    add("Z\(attribute.ownName)", type, .attribute(reference), to: group)
  }

  private func refusal(_ attribute: PropertyReference, _ type: AttributeType) -> Failure {
    SchemaNames.problem(
      numbered.model, "attribute \(attribute)",
      "It is of the type \(type.name), and how Core Data stores such values is not known here.",
      remedy: "Give it another type, or leave this store to Core Data.")
  }

  private mutating func add(toOne relationship: Relationship, of entity: Entity) {
    let name = relationship.name
    let reference = PropertyReference(entity.name, name)
    add("Z\(name)", .integer, .toOne(reference), to: .integers)
    if numbered.hasSubentities(relationship.destination) {
      let number = numbered.number(of: relationship.destination)
      add("Z\(number)_\(name)", .integer, .destinationEntity(reference), to: .integers)
    }
    if let inverse = numbered.model.inverse(of: relationship)?.relationship,
      inverse.isToMany, inverse.isOrdered
    {
      add("Z_FOK_\(name)", .integer, .position(reference), to: .positions)
    }
  }

  /// A to-many without an inverse has its column in the table of its destination, behind those of
  /// the destination's own relationships.
  private mutating func addOwners(of entity: Entity) {
    for (owner, relationship) in numbered.owned(by: entity.name) {
      let reference = PropertyReference(owner.name, relationship.name)
      let name = "\(numbered.number(of: owner.name))\(relationship.name)"
      add("Z\(name)", .integer, .owner(reference), to: .integers)
      guard relationship.isOrdered else { continue }
      add("Z_FOK_\(name)", .integer, .ownerPosition(reference), to: .positions)
    }
  }

  /// A name for a column of the family: the later of two equal ones gets the suffix 1, the next 2.
  mutating func takeName(_ base: String) -> String {
    let use = uses[base, default: 0]
    uses[base] = use + 1
    return use == 0 ? base : "\(base)\(use)"
  }

  private mutating func add(
    _ name: String, _ type: ColumnType, _ role: StoreColumn.Role, to group: ColumnGroup
  ) {
    let column = StoreColumn(name: takeName(name.uppercased()), type: type, role: role)
    groups[group, default: []].append(column)
    if let property = column.property { columns[property, default: []].append(column) }
  }
}
