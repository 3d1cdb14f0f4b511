internal import CoreDataStore
internal import SQLite

/// Computes derived attributes again, and compares them with what the new store has.
struct DerivedVerification {
  private let pair: StepVerification

  init(_ pair: StepVerification) { self.pair = pair }

  /// Looks at every derived attribute that can be computed here.
  func run(_ result: inout VerificationResult) throws {
    let schema = pair.targetSchema
    for entity in schema.model.entities {
      for attribute in entity.attributes where !attribute.isTransient {
        guard let derivation = attribute.derivation,
          let layout = schema.entity(named: entity.name),
          case .attribute(let column) = layout[attribute.name],
          let value = DerivedValue(schema).sql(derivation, of: layout)
        else { continue }
        try pair.connection.query(
          """
          SELECT t.Z_PK, t.Z_ENT FROM main.\(Identifier.quoted(layout.table)) AS t
          WHERE t.Z_ENT BETWEEN \(layout.family.lowerBound) AND \(layout.family.upperBound)
          AND t.\(Identifier.quoted(column.name)) IS NOT (\(value))
          """
        ) { row in
          let name = row.integer(1).flatMap { schema.entity(number: Int(clamping: $0))?.name }
          try pair.add(
            VerificationDifference(
              .value, name ?? layout.name, row.integer(0) ?? 0, attribute.name), to: &result)
        }
      }
    }
  }
}
