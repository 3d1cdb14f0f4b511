/// Says of each entity where its properties are, once all columns and tables have their names.
struct EntityLayouts {
  private let numbered: NumberedModel
  private let tables: [PropertyReference: String]
  private let columns: [PropertyReference: [StoreColumn]]
  private let joins: [PropertyReference: JoinStorage]

  init(_ numbered: NumberedModel, _ families: [FamilyColumns], _ joinTables: [JoinTable]) {
    self.numbered = numbered
    var tables: [PropertyReference: String] = [:]
    var columns: [PropertyReference: [StoreColumn]] = [:]
    for family in families {
      let table = NumberedModel.table(ofRoot: family.root)
      columns.merge(family.columns) { first, _ in first }
      tables.merge(family.columns.keys.map { ($0, table) }) { first, _ in first }
    }
    self.tables = tables
    self.columns = columns
    let sides = joinTables.flatMap { table in
      Set([table.master, table.inverse]).compactMap { side in
        table.storage(of: side).map { (side, $0) }
      }
    }
    joins = Dictionary(sides) { first, _ in first }
  }

  /// The layout of every entity, by number; what a parent has its children have too.
  var all: [EntityLayout] {
    var inherited: [String: [String: PropertyStorage]] = [:]
    return numbered.entities.map { entity in
      var storage = entity.parent.flatMap { inherited[$0] } ?? [:]
      storage.merge(own(entity)) { _, own in own }
      inherited[entity.name] = storage
      return EntityLayout(
        name: entity.name, number: numbered.number(of: entity.name),
        parentNumber: numbered.number(of: entity.parent), family: numbered.family(of: entity),
        isAbstract: entity.isAbstract, table: numbered.table(of: entity), storage: storage)
    }
  }

  private func own(_ entity: Entity) -> [String: PropertyStorage] {
    var storage: [String: PropertyStorage] = [:]
    for attribute in entity.attributes {
      storage[attribute.name] = self.storage(of: attribute, entity.name)
    }
    for relationship in entity.relationships {
      storage[relationship.name] = self.storage(of: relationship, entity.name)
    }
    for property in entity.fetchedProperties { storage[property.name] = .notStored(.fetched) }
    return storage
  }

  private func storage(of attribute: Attribute, _ entity: String) -> PropertyStorage {
    let reference = PropertyReference(entity, attribute.name)
    if let column = columns[reference]?.first { return .attribute(column) }
    return .notStored(attribute.isTransient ? .transient : .undefined)
  }

  private func storage(of relationship: Relationship, _ entity: String) -> PropertyStorage {
    let reference = PropertyReference(entity, relationship.name)
    guard !relationship.isTransient else { return .notStored(.transient) }
    if let join = joins[reference] { return .manyToMany(join) }
    guard relationship.isToMany else { return toOne(reference) }
    // A transient inverse is not stored, and then nothing says which objects belong here.
    return toMany(relationship, reference) ?? .notStored(.transient)
  }

  private func toOne(_ reference: PropertyReference) -> PropertyStorage {
    let own = columns[reference] ?? []
    guard let key = own.first else { return .notStored(.undefined) }
    return .toOne(
      ToOneStorage(
        key: key, entity: own.first { $0.role == .destinationEntity(reference) },
        position: own.first { $0.role == .position(reference) }))
  }

  private func toMany(
    _ relationship: Relationship, _ reference: PropertyReference
  ) -> PropertyStorage? {
    let inverse = numbered.model.inverse(of: relationship).map {
      PropertyReference($0.declaredBy.name, $0.relationship.name)
    }
    let holder = inverse ?? reference
    guard let table = tables[holder], let key = columns[holder]?.first else { return nil }
    let position = columns[holder]?.first {
      $0.role == .position(holder) || $0.role == .ownerPosition(holder)
    }
    return .toMany(
      ToManyStorage(table: table, key: key, position: position, hasInverse: inverse != nil))
  }
}
