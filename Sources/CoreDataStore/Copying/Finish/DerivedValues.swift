internal import SQLite

/// Computes derived attributes for all objects of the new store, once objects and links are there.
///
/// One that cannot be computed here keeps the value that the source has for it.
struct DerivedValues {
  let construction: Construction
  private var schema: StoreSchema { construction.targetSchema }

  /// Fills the columns; gives back what is to be known of it.
  func fill() throws -> [StoreWarning] {
    for attribute in schema.derivedAttributes {
      try construction.connection.execute(attribute.fill)
    }
    let done = Set(schema.derivedAttributes.map(\.attribute))
    var warnings: [StoreWarning] = []
    for entity in schema.model.entities {
      for attribute in entity.attributes where !attribute.isTransient {
        let reference = PropertyReference(entity.name, attribute.name)
        guard let derivation = attribute.derivation, !done.contains(reference),
          let layout = schema.entity(named: entity.name),
          case .attribute(let column) = layout[attribute.name]
        else { continue }
        try fill(column.name, derivation, reference, layout, &warnings)
      }
    }
    return warnings
  }

  private func fill(
    _ column: String, _ derivation: Derivation, _ reference: PropertyReference,
    _ layout: EntityLayout, _ warnings: inout [StoreWarning]
  ) throws {
    if let value = value(derivation, layout) {
      try construction.connection.run(
        """
        UPDATE main.\(layout.table) AS t SET \(column) = (\(value))
        WHERE t.Z_ENT BETWEEN \(layout.family.lowerBound) AND \(layout.family.upperBound)
        """, [])
      return
    }
    var copied = 0
    for object in construction.mapping.objects {
      copied += try copy(column, reference.property, object, layout)
    }
    warnings.append(
      StoreWarning(
        "derived attribute \(reference)",
        "Its expression cannot be computed here. "
          + (copied > 0 ? "The old values stay" : "It has no value")
          + " until Core Data computes it."))
  }

  /// Takes the values that the source has for the attribute of the same name.
  private func copy(
    _ column: String, _ name: String, _ object: ObjectMapping, _ layout: EntityLayout
  ) throws -> Int {
    guard let old = construction.sourceSchema.entity(named: object.source),
      let new = schema.entity(named: object.target), layout.family.contains(new.number),
      case .attribute(let storage) = old[name]
    else { return 0 }
    let key =
      object.keys == .kept
      ? "s.Z_PK"
      : "(SELECT o.object FROM main.\(ConstructionTables.objects) AS o "
        + "WHERE o.source_entity = \(old.number) AND o.source = s.Z_PK ORDER BY o.place LIMIT 1)"
    return try construction.connection.run(
      """
      UPDATE main.\(new.table) AS t SET \(column) = s.\(storage.name)
      FROM source.\(Identifier.quoted(old.table)) AS s
      WHERE t.Z_PK = \(key) AND t.Z_ENT = \(new.number) AND s.Z_ENT = \(old.number)
      """, [])
  }
}

// What an expression means in SQL, over the object's row `t`.
extension DerivedValues {
  private func value(_ derivation: Derivation, _ layout: EntityLayout) -> String? {
    guard derivation.filter == nil else { return nil }
    switch derivation.expression {
    case .keyPath(let path): return related(path, layout)
    case .function("count:", let arguments):
      guard case .keyPath(let name)? = arguments.first, let many = many(name, layout) else {
        return nil
      }
      return "SELECT count(*) \(many.from)"
    case .function(let function, let arguments):
      guard let aggregate = Self.aggregates[function],
        case .keyPath(let path)? = arguments.first, let parts = Self.parts(path),
        let many = many(parts.first, layout), let column = attribute(parts.last, many.destination)
      else { return nil }
      let value = "\(aggregate)(d.\(column))"
      return "SELECT \(function == "sum:" ? "ifnull(\(value), 0)" : value) \(many.from)"
    default: return nil
    }
  }

  private static let aggregates = [
    "sum:": "sum", "min:": "min", "max:": "max", "average:": "avg",
  ]

  /// A path through one relationship.
  private static func parts(_ path: String) -> (first: String, last: String)? {
    let parts = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    return parts.count == 2 ? (parts[0], parts[1]) : nil
  }

  private func attribute(_ name: String, _ layout: EntityLayout) -> String? {
    guard case .attribute(let column) = layout[name] else { return nil }
    return column.name
  }

  private func destination(_ name: String, _ layout: EntityLayout) -> EntityLayout? {
    guard let entity = schema.model.entity(named: layout.name) else { return nil }
    return schema.model.relationship(named: name, of: entity)
      .flatMap { schema.entity(named: $0.relationship.destination) }
  }

  private func related(_ path: String, _ layout: EntityLayout) -> String? {
    guard let parts = Self.parts(path), case .toOne(let storage) = layout[parts.first],
      let destination = destination(parts.first, layout),
      let column = attribute(parts.last, destination)
    else { return nil }
    return "SELECT d.\(column) FROM main.\(destination.table) AS d "
      + "WHERE d.Z_PK = t.\(storage.key.name)"
  }

  /// The objects that a relationship leads to, `d`.
  private func many(
    _ name: String, _ layout: EntityLayout
  ) -> (from: String, destination: EntityLayout)? {
    guard let destination = destination(name, layout) else { return nil }
    switch layout[name] {
    case .toMany(let storage):
      return (
        "FROM main.\(storage.table) AS d WHERE d.\(storage.key.name) = t.Z_PK", destination
      )
    case .manyToMany(let storage):
      return (
        "FROM main.\(storage.table) AS j JOIN main.\(destination.table) AS d "
          + "ON d.Z_PK = j.\(storage.destination) WHERE j.\(storage.source) = t.Z_PK", destination
      )
    default: return nil
    }
  }
}
