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
    for attribute in inOrder {
      switch attribute.value {
      case .sql(let value): try connection.execute(attribute.fill(value))
      case .text(let form, let source): try fill(attribute, form, source)
      case .now: try connection.run(attribute.fill(stamp("?1", attribute)), [.real(now)])
      case .random: try connection.execute(attribute.fill(stamp("random()", attribute)))
      }
    }
  }

  /// Each after those that it is computed from, except where they are computed from one another.
  private var inOrder: [DerivedAttribute] {
    var ordered: [DerivedAttribute] = []
    var left = schema.derivedAttributes
    while !left.isEmpty {
      let empty = Set(left.map(\.filled))
      let next = left.filter { attribute in
        attribute.source.map { !empty.contains($0) } ?? true
      }
      guard !next.isEmpty else { break }
      ordered += next
      left.removeAll { next.contains($0) }
    }
    return ordered + left
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

  private typealias Place = (column: String, attribute: PropertyReference, layout: EntityLayout)

  /// Keeps the values that the source has for them.
  func keep() throws {
    for place in places {
      for object in builder.mapping.objects { try copy(place, object) }
    }
  }

  /// What the user should know of them.
  var warnings: [StoreWarning] {
    get throws {
      try places.map { place in
        let isThere = try builder.connection.integer(
          "SELECT 1 FROM main.\(place.layout.table) WHERE \(place.column) IS NOT NULL LIMIT 1")
        return StoreWarning(
          "derived attribute \(place.attribute)",
          "Its expression cannot be computed here. "
            + (isThere == nil ? "It has no value" : "The old values stay")
            + " until Core Data computes it.")
      }
    }
  }

  private var places: [Place] {
    let known = Set(schema.derivedAttributes.map(\.attribute))
    return schema.model.entities.flatMap { entity in
      entity.attributes.compactMap { attribute in
        let reference = PropertyReference(entity.name, attribute.name)
        guard !attribute.isTransient, attribute.derivation != nil, !known.contains(reference),
          let layout = schema.entity(named: entity.name),
          case .attribute(let column) = layout[attribute.name]
        else { return nil }
        return (column.name, reference, layout)
      }
    }
  }

  /// Takes the values that the source has for the attribute of the same name.
  private func copy(_ place: Place, _ object: ObjectMapping) throws {
    guard let old = builder.sourceSchema.entity(named: object.source),
      let new = schema.entity(named: object.target), place.layout.family.contains(new.number),
      case .attribute(let storage) = old[place.attribute.property]
    else { return }
    let key =
      object.keys == .kept
      ? "s.Z_PK"
      : "(SELECT o.object FROM main.\(BuilderTables.objects) AS o "
        + "WHERE o.source_entity = \(old.number) AND o.source = s.Z_PK ORDER BY o.place LIMIT 1)"
    try builder.connection.run(
      """
      UPDATE main.\(new.table) AS t SET \(place.column) = s.\(storage.name)
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
