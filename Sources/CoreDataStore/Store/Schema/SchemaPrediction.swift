/// Predicts what a store has besides its tables: indexes, spatial indexes, triggers.
struct SchemaPrediction {
  private(set) var indexes: [StoreIndex] = []
  private(set) var spatialIndexes: [SpatialIndex] = []
  private(set) var derivedAttributes: [DerivedAttribute] = []
  private(set) var doubts: [SchemaDoubt] = []

  private let numbered: NumberedModel
  private let layouts: [String: EntityLayout]
  private let tables: [EntityTable]
  private let joinTables: [JoinTable]
  private var names: Set<String> = []

  init(
    _ numbered: NumberedModel, _ layouts: [String: EntityLayout], _ tables: [EntityTable],
    _ joinTables: [JoinTable]
  ) {
    self.numbered = numbered
    self.layouts = layouts
    self.tables = tables
    self.joinTables = joinTables
  }

  /// Works through the model once.
  mutating func run() {
    for table in tables { addKeyIndexes(of: table) }
    for table in joinTables { addIndex(of: table) }
    for entity in numbered.entities {
      guard let layout = layouts[entity.name] else { continue }
      addFetchIndexes(of: entity, layout)
      addUniqueness(of: entity, layout)
      addLocations(of: entity, layout)
      addDerived(of: entity, layout)
    }
  }

  /// Core Data makes an index "IF NOT EXISTS": the first of a name counts.
  private mutating func add(_ index: StoreIndex) {
    guard names.insert(index.name.lowercased()).inserted else { return }
    indexes.append(index)
  }

  private mutating func doubt(_ subject: String, _ why: String, _ consequence: String) {
    doubts.append(SchemaDoubt(subject: subject, why: why, consequence: consequence))
  }
}

// The indexes that Core Data makes on its own.
extension SchemaPrediction {
  private mutating func addKeyIndexes(of table: EntityTable) {
    for column in table.columns {
      switch column.role {
      case .toOne(let property), .owner(let property):
        add(
          StoreIndex(
            "\(table.name)_\(column.name)_INDEX", on: table.name, [column.name],
            for: .relationship(property)))
      default: break
      }
    }
    guard table.entities.count > 1, !omitsEntityIndex(table) else { return }
    add(
      StoreIndex("\(table.name)_Z_ENT_INDEX", on: table.name, ["Z_ENT"], for: .entityNumber))
  }

  /// Whether the entity without a parent asks for no index of its table's entities.
  private func omitsEntityIndex(_ table: EntityTable) -> Bool {
    let root = table.entities.first.flatMap(numbered.model.entity(named:))
      .map(numbered.model.root)
    let wish = root?.userInfo["_NSEntityOmitSubentityColumnIndex"]?.uppercased()
    return wish == "YES" || wish == "1"
  }

  private mutating func addIndex(of table: JoinTable) {
    add(
      StoreIndex(
        "\(table.name)_\(table.second)_INDEX", on: table.name, [table.second, table.first],
        for: .join))
    guard table.inversePosition != nil,
      let position = table.masterPosition ?? table.inversePosition
    else { return }
    for columns in [[table.first, table.second, position], [table.first, position, table.second]] {
      add(
        StoreIndex(
          "\(table.name)_\(columns.joined(separator: "_"))_INDEX", on: table.name, columns,
          for: .join))
    }
  }

  private mutating func addUniqueness(of entity: Entity, _ layout: EntityLayout) {
    for constraint in entity.uniquenessConstraints {
      let columns = constraint.compactMap { Self.column($0, of: layout)?.name }
      let name = "Z_\(entity.name)_UNIQUE_\(constraint.joined(separator: "_"))"
      guard columns.count == constraint.count, !columns.isEmpty else {
        doubt(
          "uniqueness constraint of \(entity.name)",
          "\(constraint.joined(separator: ", ")) are not all stored in columns of its table.",
          "No index enforces it.")
        continue
      }
      add(StoreIndex(name, on: layout.table, columns, for: .uniqueness(entity: entity.name)))
    }
  }

  /// The column that a name in an index means: a property's, or one that every table has.
  private static func column(_ name: String, of layout: EntityLayout) -> StoreColumn? {
    switch layout[name] {
    case .attribute(let column): column
    case .toOne(let storage): storage.key
    case .toMany, .manyToMany, .notStored: nil
    case nil: fixedColumn(name)
    }
  }

  private static func fixedColumn(_ name: String) -> StoreColumn? {
    switch name {
    case "entity": StoreColumn.fixed.first { $0.role == .entityNumber }
    case "self", "SELF": StoreColumn.fixed.first { $0.role == .primaryKey }
    default: nil
    }
  }
}

// The indexes that the model asks for.
extension SchemaPrediction {
  private mutating func addFetchIndexes(of entity: Entity, _ layout: EntityLayout) {
    for index in entity.impliedIndexes + entity.fetchIndexes + compoundIndexes(of: entity) {
      add(index, of: entity, layout)
    }
  }

  /// What the older way of asking for an index over several properties means: a fetch index of
  /// their names, joined; a compiler writes a fetch index a second time in this form.
  private func compoundIndexes(of entity: Entity) -> [FetchIndex] {
    let newer = Set(entity.fetchIndexes.map { $0.elements.map(\.propertyName) })
    return entity.compoundIndexes.filter { !newer.contains($0.map(Optional.some)) }.map { names in
      FetchIndex(
        name: names.joined(separator: "_"),
        elements: names.map { FetchIndexElement(subject: .property($0)) })
    }
  }

  private mutating func add(_ index: FetchIndex, of entity: Entity, _ layout: EntityLayout) {
    let elements = index.elements.filter { !Self.isPassedOver($0, of: layout) }
    let columns = elements.compactMap { Self.column($0, of: layout) }
    guard columns.count == elements.count else {
      return doubt(index, of: entity, "Its elements are not all columns.")
    }
    guard !columns.isEmpty else { return }
    guard !index.isRTree else { return addSpatial(index, of: entity, layout, columns) }
    // The index of a relationship to one object is there already.
    if columns.count == 1, case .toOne = columns[0].role { return }
    let condition: String?
    do throws(PartialIndexSQL.Untranslatable) {
      condition = try Self.condition(of: index, layout)
    } catch {
      return doubt(index, of: entity, "Of its condition \(error.why).")
    }
    let descending = elements.indices.filter { !elements[$0].isAscending }
    add(
      StoreIndex(
        "Z_\(entity.name)_\(index.name)", on: layout.table, columns.map(\.name),
        for: .fetch(entity: entity.name, index: index.name), descending: Set(descending),
        condition: condition))
  }

  /// Relationships to many and what is not stored are no part of an index.
  private static func isPassedOver(
    _ element: FetchIndexElement, of layout: EntityLayout
  ) -> Bool {
    switch element.propertyName.flatMap({ layout[$0] }) {
    case .toMany, .manyToMany, .notStored: true
    case .attribute, .toOne, nil: false
    }
  }

  private static func condition(
    of index: FetchIndex, _ layout: EntityLayout
  ) throws(PartialIndexSQL.Untranslatable) -> String? {
    guard let predicate = index.predicate else { return nil }
    return try PartialIndexSQL.translate(predicate) { column($0, of: layout) }
  }

  private static func column(
    _ element: FetchIndexElement, of layout: EntityLayout
  ) -> StoreColumn? {
    if element.subject == .expression(.itself) { return fixedColumn("self") }
    return element.propertyName.flatMap { column($0, of: layout) }
  }

  private mutating func doubt(_ index: FetchIndex, of entity: Entity, _ why: String) {
    doubt(
      "fetch index \(entity.name).\(index.name)", why,
      index.isRTree
        ? "It was left out: fetches that use it will fail."
        : "It was left out; Core Data does without it.")
  }
}

// Spatial indexes.
extension SchemaPrediction {
  private mutating func addSpatial(
    _ index: FetchIndex, of entity: Entity, _ layout: EntityLayout, _ columns: [StoreColumn]
  ) {
    spatialIndexes.append(
      SpatialIndex(
        name: "Z_\(entity.name)_\(index.name)", table: layout.table,
        columns: columns.map(\.name),
        origin: .fetchIndex(entity: entity.name, index: index.name)))
  }

  /// The key under which a transient attribute's user info names latitude and longitude.
  private static let locationKey = "_NSLocationAttributeDerivedComponents"

  private mutating func addLocations(of entity: Entity, _ layout: EntityLayout) {
    for attribute in entity.attributes where attribute.isTransient && attribute.type == .undefined {
      guard let value = attribute.userInfo[Self.locationKey] else { continue }
      let names = value.split { $0 == "," || $0 == " " }.map(String.init)
      let columns = names.compactMap { Self.column($0, of: layout) }
      let reference = PropertyReference(entity.name, attribute.name)
      guard columns.count == 2, columns.allSatisfy({ $0.type == .float }) else {
        doubt(
          "location attribute \(reference)", "\"\(value)\" does not name two stored numbers.",
          "No spatial index was made for it: fetches by place will fail.")
        continue
      }
      let root = numbered.model.root(of: entity).name
      spatialIndexes.append(
        SpatialIndex(
          name: "Z_RT_\(root)_\(attribute.name)", table: layout.table,
          columns: columns.map(\.name), origin: .location(reference)))
    }
  }
}

// Derived attributes.
extension SchemaPrediction {
  private mutating func addDerived(of entity: Entity, _ layout: EntityLayout) {
    for attribute in entity.attributes where !attribute.isTransient {
      guard let derivation = attribute.derivation,
        case .attribute(let column) = layout[attribute.name]
      else { continue }
      let reference = PropertyReference(entity.name, attribute.name)
      let triggers = DerivedTriggers(reference, column: column.name, of: layout) {
        [numbered, layouts] name in
        numbered.model.relationship(named: name, of: entity)
          .flatMap { layouts[$0.relationship.destination] }
      }
      let derived = triggers.derived(derivation)
      if let derived { derivedAttributes.append(derived) }
      guard derived?.triggers.isEmpty != false else { continue }
      doubt(
        "derived attribute \(reference)",
        "The triggers by which Core Data keeps \"\(derivation.expression)\" are not known.",
        "None were made: the value stays as it was "
          + (derived == nil ? "copied" : "computed") + " until Core Data makes the triggers.")
    }
  }
}
