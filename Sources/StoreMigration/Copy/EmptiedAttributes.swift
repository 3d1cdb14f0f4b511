package import CoreDataStore
internal import SQLite

/// An attribute that had values and has none in any object, by the work of a script.
package struct EmptiedAttribute: Sendable, Hashable {
  package let attribute: PropertyReference
  package let source: PropertyReference
  /// How many values the source has.
  package let values: Int
}

extension StoreBuilder {
  /// The attributes that a script of a source entity's objects has emptied, once it has run.
  ///
  /// What the file leaves behind by one of these names, and what it gives a constant, is not looked
  /// at; nor is an entity without objects, which says nothing of its attributes.
  package func emptied(
    from entity: String, dropping drops: [NamedInstruction]
  ) throws -> [EmptiedAttribute] {
    guard let object = mapping.objects(from: entity) else { return [] }
    let model = sourceSchema.model
    let owners = model.entity(named: entity).map { model.lineage(of: $0).map(\.name) } ?? []
    let (old, new) = (try sourceLayout(entity), try targetLayout(object.target))
    return try telling("cannot read the objects", "entity \(object.target)") {
      guard try has("Z_PK", new) else { return [] }
      return try object.attributes.compactMap { attribute in
        guard let name = source(of: attribute, object, new),
          case .attribute(let before) = old[name],
          case .attribute(let after) = new[attribute.name], try !has(after.name, new),
          !drops.contains(where: { drop in owners.contains { drop.name == "\($0).\(name)" } })
        else { return nil }
        let values = try connection.integer(
          "SELECT count(\(Identifier.quoted(before.name))) "
            + "FROM \(Identifier.quoted(old.table, in: "source")) WHERE Z_ENT = \(old.number)")
        guard let values, values > 0 else { return nil }
        return EmptiedAttribute(
          attribute: PropertyReference(object.target, attribute.name),
          source: PropertyReference(entity, name), values: Int(values))
      }
    }
  }

  /// Whether any object of the new store has a value in a column.
  private func has(_ column: String, _ layout: EntityLayout) throws -> Bool {
    try connection.integer(
      "SELECT 1 FROM \(Identifier.quoted(layout.table, in: "main")) "
        + "WHERE Z_ENT = \(layout.number) AND \(Identifier.quoted(column)) IS NOT NULL LIMIT 1")
      == 1
  }

  /// The attribute of the source whose values a script has in its hands; nil where it has not.
  private func source(
    of attribute: AttributeMapping, _ object: ObjectMapping, _ layout: EntityLayout
  ) -> String? {
    switch attribute.origin {
    case .source(let name, _) where mapping.fate(of: object.source) == .scripted: return name
    case .script:
      let new = targetSchema.model.attribute(attribute.name, ofEntity: layout.name)
      let model = sourceSchema.model
      let attributes = model.entity(named: object.source).map(model.allAttributes) ?? []
      let old =
        attributes.first { $0.name == attribute.name }
        ?? attributes.first { $0.renamingName == new?.renamingName }
      return old?.name
    default: return nil
    }
  }
}
