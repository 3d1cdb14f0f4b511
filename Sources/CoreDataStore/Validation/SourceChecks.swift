internal import SQLite

/// Finds, for a rule of the target, the same rule of the source.
struct SourceChecks {
  private struct Counterpart {
    let object: ObjectMapping
    let layout: EntityLayout
    let check: RowCheck
  }

  private let mapping: Mapping
  private let source: StoreSchema
  private let target: StoreSchema

  init(_ mapping: Mapping, from source: StoreSchema, to target: StoreSchema) {
    self.mapping = mapping
    self.source = source
    self.target = target
  }

  /// Whether the violation by a row `s` stood in the source: SQL over that row.
  func isInSource(_ check: RowCheck, of layout: EntityLayout) -> String {
    let places = counterparts(of: check, layout).filter { $0.object.keys == .kept }
    let texts = places.map { place in
      let isSame = zip(place.check.values, check.values).map { "\($0) IS \($1)" }
      let conditions =
        ["t.Z_PK = s.Z_PK", "t.Z_ENT = \(place.layout.number)"] + isSame
        + ["(\(place.check.violation))"]
      return "EXISTS (\(rows(place.layout, conditions)))"
    }
    return texts.isEmpty ? "0" : texts.joined(separator: " OR ")
  }

  /// How many objects with new keys broke the rule in the source: SQL for a number.
  ///
  /// Nothing tells any more which object was which, so that as many may break it now.
  func renumbered(_ check: RowCheck, of layout: EntityLayout) -> String? {
    guard check.confirm == nil else { return nil }
    let places = counterparts(of: check, layout).filter { $0.object.keys == .renumbered }
    let texts = places.map { place in
      let conditions = ["t.Z_ENT = \(place.layout.number)", "(\(place.check.violation))"]
      return "(SELECT count(*) FROM (\(rows(place.layout, conditions))))"
    }
    return texts.isEmpty ? nil : texts.joined(separator: " + ")
  }

  private func rows(_ layout: EntityLayout, _ conditions: [String]) -> String {
    let table = Identifier.quoted(layout.table, in: "source")
    return "SELECT 1 FROM \(table) AS t WHERE \(conditions.joined(separator: " AND "))"
  }

  private func counterparts(of check: RowCheck, _ layout: EntityLayout) -> [Counterpart] {
    mapping.objects(into: layout.name).filter { !$0.isAbstract }.compactMap { object in
      guard let place = source.entity(named: object.source),
        let rule = rule(check, object, layout)
      else { return nil }
      let checks = RowChecks(of: place, in: source, database: "source", alias: "t").all
      let names = properties(check, object)
      guard
        let found = checks.first(where: {
          $0.rule == rule && $0.isRelationship == check.isRelationship
            && (names == nil || names?.contains($0.property) == true)
        })
      else { return nil }
      return Counterpart(object: object, layout: place, check: found)
    }
  }

  /// The rule as the source has it; only names in it can differ.
  private func rule(
    _ check: RowCheck, _ object: ObjectMapping, _ layout: EntityLayout
  ) -> ObjectRule? {
    guard case .unique(let names) = check.rule else { return check.rule }
    let old = names.compactMap { name -> String? in
      if let attribute = attribute(name, object) { return attribute }
      let entity = target.model.entity(named: layout.name)
      let declared = entity.flatMap { target.model.relationship(named: name, of: $0)?.declaredBy }
      return declared.flatMap { links(PropertyReference($0.name, name)).first?.property }
    }
    return old.count == names.count ? .unique(old) : nil
  }

  /// The properties of the source that a check of one property may be about; nil for any.
  private func properties(_ check: RowCheck, _ object: ObjectMapping) -> [PropertyReference]? {
    if case .unique = check.rule { return nil }
    if check.isRelationship { return links(check.property) }
    guard let name = attribute(check.property.property, object),
      let entity = source.model.entity(named: object.source),
      let declared = source.model.attribute(named: name, of: entity)?.declaredBy
    else { return [] }
    return [PropertyReference(declared.name, name)]
  }

  /// The source's attribute; where a script makes the values, that of the same name.
  private func attribute(_ name: String, _ object: ObjectMapping) -> String? {
    guard let attribute = object.attribute(named: name) else { return nil }
    return attribute.origin == .script ? name : attribute.source
  }

  private func links(_ reference: PropertyReference) -> [PropertyReference] {
    mapping.links(of: reference).compactMap { link in
      link.forward.target == reference ? link.forward.source : link.backward.source
    }
  }

  /// The same relationship of the source, and what holds it there.
  func joins(of reference: PropertyReference) -> [(PropertyReference, JoinTable)] {
    links(reference).compactMap { old in
      source.joinTables.first { $0.storage(of: old) != nil }.map { (old, $0) }
    }
  }
}
