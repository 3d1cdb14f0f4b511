internal import CoreDataStore
internal import SQLite

/// Computes derived attributes for all objects of the new store, once objects and links are there.
///
/// One that cannot be computed here keeps the value that the source has for it.
struct DerivedValues {
  let builder: StoreBuilder
  private var schema: StoreSchema { builder.targetSchema }

  /// Fills the columns; gives back the warnings.
  func fill() throws -> [StoreWarning] {
    for attribute in schema.derivedAttributes {
      try builder.connection.execute(attribute.fill)
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
    if let update = DerivedValue(schema).update(derivation, column: column, of: layout) {
      try builder.connection.execute(update)
      return
    }
    var copied = 0
    for object in builder.mapping.objects {
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
    guard let old = builder.sourceSchema.entity(named: object.source),
      let new = schema.entity(named: object.target), layout.family.contains(new.number),
      case .attribute(let storage) = old[name]
    else { return 0 }
    let key =
      object.keys == .kept
      ? "s.Z_PK"
      : "(SELECT o.object FROM main.\(BuilderTables.objects) AS o "
        + "WHERE o.source_entity = \(old.number) AND o.source = s.Z_PK ORDER BY o.place LIMIT 1)"
    return try builder.connection.run(
      """
      UPDATE main.\(new.table) AS t SET \(column) = s.\(storage.name)
      FROM source.\(Identifier.quoted(old.table)) AS s
      WHERE t.Z_PK = \(key) AND t.Z_ENT = \(new.number) AND s.Z_ENT = \(old.number)
      """, [])
  }
}
