internal import CoreDataStore
internal import Foundation
internal import SQLite

/// Computes derived attributes for all objects of a store, once objects and links are there.
struct DerivedValues {
  private static let texts = "pipeline_texts"

  let connection: Connection
  let schema: StoreSchema
  /// What stands for the time at which the objects are saved.
  let now: Double
  /// Whether objects that have such a time keep it, because they were there before.
  var keepsTimes = false

  /// Fills the columns.
  func fill() throws {
    for attribute in schema.derivedAttributes {
      switch attribute.value {
      case .sql(let value): try connection.execute(attribute.fill(value))
      case .text(let form, let source): try fill(attribute, form, source)
      case .now: try connection.run(attribute.fill(stamp("?1", attribute)), [.real(now)])
      case .random: try connection.execute(attribute.fill(stamp("random()", attribute)))
      }
    }
  }

  private func stamp(_ value: String, _ attribute: DerivedAttribute) -> String {
    keepsTimes ? "ifnull(t.\(attribute.column), \(value))" : value
  }

  /// The texts are few and the objects many: each text is put into its form once.
  private func fill(
    _ attribute: DerivedAttribute, _ form: DerivedAttribute.TextForm, _ source: String
  ) throws {
    try connection.execute(
      """
      CREATE TEMP TABLE IF NOT EXISTS \(Self.texts) (old TEXT PRIMARY KEY, new TEXT) WITHOUT ROWID;
      DELETE FROM temp.\(Self.texts)
      """)
    let old = try connection.prepare(
      "SELECT DISTINCT \(source) FROM main.\(attribute.table) AS t WHERE \(attribute.condition)")
    while try old.step() {
      guard let text = try old.row.string(0) else { continue }
      try connection.run(
        "INSERT OR IGNORE INTO temp.\(Self.texts) VALUES (?1, ?2)",
        [.text(text), .text(form.of(text))])
    }
    try connection.execute(
      attribute.fill("(SELECT p.new FROM temp.\(Self.texts) AS p WHERE p.old = \(source))"))
    try connection.execute("DELETE FROM temp.\(Self.texts)")
  }
}

/// The derived attributes that are no more than they were: their expression is not understood.
struct UnknownDerivedValues {
  let builder: StoreBuilder
  private var schema: StoreSchema { builder.targetSchema }

  /// Keeps the values that the source has for them; gives back the warnings.
  func keep() throws -> [StoreWarning] {
    let known = Set(schema.derivedAttributes.map(\.attribute))
    var warnings: [StoreWarning] = []
    for entity in schema.model.entities {
      for attribute in entity.attributes
      where !attribute.isTransient && attribute.derivation != nil {
        let reference = PropertyReference(entity.name, attribute.name)
        guard !known.contains(reference), let layout = schema.entity(named: entity.name),
          case .attribute(let column) = layout[attribute.name]
        else { continue }
        warnings.append(try keep(column.name, reference, layout))
      }
    }
    return warnings
  }

  private func keep(
    _ column: String, _ reference: PropertyReference, _ layout: EntityLayout
  ) throws -> StoreWarning {
    var copied = 0
    for object in builder.mapping.objects {
      copied += try copy(column, reference.property, object, layout)
    }
    return StoreWarning(
      "derived attribute \(reference)",
      "Its expression cannot be computed here. "
        + (copied > 0 ? "The old values stay" : "It has no value")
        + " until Core Data computes it.")
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

extension DerivedAttribute.TextForm {
  /// A text in this form, in no one's language.
  func of(_ text: String) -> String {
    switch self {
    case .canonical:
      text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    case .uppercase: text.uppercased()
    case .lowercase: text.lowercased()
    }
  }
}
