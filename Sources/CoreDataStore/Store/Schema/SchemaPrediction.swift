/// Predicts what a store has besides its tables: indexes, spatial indexes, triggers.
struct SchemaPrediction {
  private(set) var indexes: [StoreIndex] = []
  private(set) var spatialIndexes: [SpatialIndex] = []
  private(set) var derivedAttributes: [DerivedAttribute] = []
  private(set) var doubts: [SchemaDoubt] = []

  private let numbered: NumberedModel
  private let framework: FrameworkVersion
  private let layouts: [String: EntityLayout]
  private let tables: [EntityTable]
  private let joinTables: [JoinTable]
  private var names: Set<String> = []

  init(
    _ numbered: NumberedModel, _ framework: FrameworkVersion, _ layouts: [String: EntityLayout],
    _ tables: [EntityTable], _ joinTables: [JoinTable]
  ) {
    self.numbered = numbered
    self.framework = framework
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
    guard table.entities.count > 1 else { return }
    add(
      StoreIndex("\(table.name)_Z_ENT_INDEX", on: table.name, ["Z_ENT"], for: .entityNumber))
  }

  private mutating func addIndex(of table: JoinTable) {
    add(
      StoreIndex(
        "\(table.name)_\(table.second)_INDEX", on: table.name, [table.second, table.first],
        for: .join))
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
    guard framework.makesFetchIndexes else { return doubtOldIndexes(of: entity) }
    for index in entity.impliedIndexes + entity.fetchIndexes { add(index, of: entity, layout) }
    for index in entity.compoundIndexes {
      doubt(
        "compound index of \(entity.name) over \(index.joined(separator: ", "))",
        "The name that Core Data gives to an index of this older form is not known.",
        "It was left out; Core Data does without it.")
    }
  }

  private mutating func doubtOldIndexes(of entity: Entity) {
    let isIndexed = entity.attributes.contains(where: \.isIndexed)
    guard isIndexed || !entity.fetchIndexes.isEmpty || !entity.compoundIndexes.isEmpty else {
      return
    }
    doubt(
      "indexes of \(entity.name)",
      "How framework \(framework.number) names the indexes a model asks for is not known.",
      "They were left out; Core Data does without them.")
  }

  private mutating func add(_ index: FetchIndex, of entity: Entity, _ layout: EntityLayout) {
    let columns = index.elements.compactMap { Self.column($0, of: layout) }
    guard columns.count == index.elements.count, !columns.isEmpty else {
      return doubt(index, of: entity, "Its elements are not all columns.")
    }
    guard !index.isRTree else { return addSpatial(index, of: entity, layout, columns) }
    // The index of a relationship to one object is there already.
    if columns.count == 1, case .toOne = columns[0].role { return }
    let condition: String?
    do throws(PartialIndexSQL.Untranslatable) {
      condition = try Self.condition(of: index, layout)
    } catch {
      return doubt(index, of: entity, "Of its condition \(error.why).")
    }
    let descending = index.elements.indices.filter { !index.elements[$0].isAscending }
    add(
      StoreIndex(
        "Z_\(entity.name)_\(index.name)", on: layout.table, columns.map(\.name),
        for: .fetch(entity: entity.name, index: index.name), descending: Set(descending),
        condition: condition))
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
        name: "Z_RT_\(entity.name)_\(index.name)", table: layout.table,
        columns: columns.map(\.name),
        origin: .fetchIndex(entity: entity.name, index: index.name)))
    doubt(
      "fetch index \(entity.name).\(index.name)",
      "It is spatial, and no store with such an index was seen: the name of its table is likely "
        + "and not proved.",
      "It was made as Z_RT_\(entity.name)_\(index.name); try a fetch that uses it.")
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
      guard let counted = counted(by: derivation, of: entity, layout) else {
        doubt(
          "derived attribute \(reference)",
          "The triggers by which Core Data keeps \"\(derivation.expression)\" are not known.",
          "None were made: the value stays as it was copied until Core Data makes the triggers.")
        continue
      }
      derivedAttributes.append(
        DerivedAttribute(
          counting: counted, in: reference, table: layout.table, column: column.name))
    }
  }

  /// The one-to-many that is counted, when that is all the derivation says.
  ///
  /// Seen for an entity without a parent; for others Core Data has to look at Z_ENT as well.
  private func counted(
    by derivation: Derivation, of entity: Entity, _ layout: EntityLayout
  ) -> ToManyStorage? {
    guard entity.parent == nil, derivation.filter == nil,
      case .function("count:", let arguments) = derivation.expression, arguments.count == 1,
      case .keyPath(let name) = arguments[0], case .toMany(let storage) = layout[name],
      storage.hasInverse
    else { return nil }
    return storage
  }
}
