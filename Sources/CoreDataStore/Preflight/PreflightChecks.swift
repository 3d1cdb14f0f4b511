internal import SQLite

/// Which rules can be held against the objects of a mapping before they travel.
struct PreflightChecks {
  private let object: ObjectMapping
  private let links: PreflightLinks
  private let layout: EntityLayout
  private let model: Model

  init(_ object: ObjectMapping, _ links: PreflightLinks, _ layout: EntityLayout, _ model: Model) {
    (self.object, self.links, self.layout, self.model) = (object, links, layout, model)
  }

  /// Those of some checks that can be made.
  func those(of checks: [RowCheck]) -> [RowCheck] {
    checks.compactMap { check in
      guard case .mandatory = check.rule, check.isRelationship else {
        return canBeMade(check) ? check : nil
      }
      return mandatory(check, among: checks)
    }
  }

  private func canBeMade(_ check: RowCheck) -> Bool {
    switch check.rule {
    case .mandatory: isKnown(check.property.property, alsoChanged: true)
    case .value: isKnown(check.property.property)
    case .unique(let names): names.allSatisfy(isKnownOrLink)
    case .atLeast: links.sight(of: check.property) != .none
    case .atMost, .present: links.sight(of: check.property) == .whole
    // They are about what the copy itself makes.
    case .entityNumber, .inverse, .family, .primaryKey, .count: false
    }
  }

  /// Whether the views have the values of an attribute as they are going to be; or at least, where
  /// values are changed on their way, those that are missing.
  private func isKnown(_ name: String, alsoChanged: Bool = false) -> Bool {
    guard let attribute = object.attribute(named: name) else { return false }
    switch attribute.origin {
    case .script, .derivation: return false
    case .value, .null: return true
    case .source(_, let conversion):
      let isChanged = attribute.storage != .none || conversion?.keepsStoredForm == false
      return !isChanged || alsoChanged && attribute.replacement == nil
    }
  }

  private func isKnownOrLink(_ name: String) -> Bool {
    guard object.attribute(named: name) == nil else { return isKnown(name) }
    let entity = model.entity(named: layout.name)
    let declared = entity.flatMap { model.relationship(named: name, of: $0)?.declaredBy }
    return declared.map { links.sight(of: PropertyReference($0.name, name)) == .whole } ?? false
  }

  /// A link to an object that is left out is taken away, so that there is none.
  private func mandatory(_ check: RowCheck, among checks: [RowCheck]) -> RowCheck? {
    switch links.sight(of: check.property) {
    case .none: return nil
    case .whole: return check
    case .lossy(let table):
      let present = checks.first { $0.rule == .present && $0.property == check.property }
      guard let present else { return check }
      let wasThere = """
        EXISTS (SELECT 1 FROM \(Identifier.quoted(table, in: "main")) AS f \
        WHERE f.Z_PK = \(check.values[0]))
        """
      return RowCheck(
        check.property, isRelationship: true, check.rule,
        "(\(check.violation)) OR (\(present.violation) AND \(wasThere))", values: check.values)
    }
  }
}
