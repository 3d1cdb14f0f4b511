internal import CoreDataStore
internal import SQLite

/// Which rules can be checked on objects before they travel.
struct PreflightChecks {
  private let path: ObjectPath
  private let steps: [PreflightStep]
  private let layout: EntityLayout

  init(_ path: ObjectPath, _ steps: [PreflightStep], _ layout: EntityLayout) {
    (self.path, self.steps, self.layout) = (path, steps, layout)
  }

  private var links: PreflightLinks { PreflightLinks(steps) }

  /// Those of some checks that can be made.
  func those(of checks: [RowCheck]) -> [RowCheck] {
    checks.filter { !isRevised($0.property.property) }.compactMap { check in
      guard case .mandatory = check.rule, check.isRelationship else {
        return canBeMade(check) ? check : nil
      }
      return mandatory(check, among: checks)
    }
  }

  /// The properties with rules that cannot be checked, and why, in words; what stages may change
  /// is said of the stages.
  func left(of checks: [RowCheck]) -> [String] {
    checks.filter { !isRevised($0.property.property) }.flatMap { check -> [String] in
      switch check.rule {
      case .mandatory where check.isRelationship, .atLeast: leftLink(check.property)
      case .mandatory, .value: leftValue(check.property.property, check.rule == .mandatory)
      case .unique(let names): names.flatMap { leftPart($0) }
      default: []
      }
    }
  }

  private func leftValue(_ name: String, _ alsoChanged: Bool) -> [String] {
    guard path.steps.last?.attribute(named: name) != nil else { return [] }
    return obstacle(to: name, alsoChanged: alsoChanged).map { ["\(layout.name).\(name): \($0)"] }
      ?? []
  }

  /// A property that must be unique together with others, or by itself.
  private func leftPart(_ name: String) -> [String] {
    guard path.steps.last?.attribute(named: name) == nil else { return leftValue(name, false) }
    guard let link = relationship(name), !steps.contains(where: \.claims.links) else { return [] }
    switch links.sight(of: link) {
    case .whole: return []
    case .lossy: return ["\(layout.name).\(name): what it leads to may be left out on the way"]
    case .none: return ["\(layout.name).\(name): its links change on the way"]
    }
  }

  private func leftLink(_ property: PropertyReference) -> [String] {
    // What scripts may link is said of the scripts.
    guard links.sight(of: property) == .none, !steps.contains(where: \.claims.links) else {
      return []
    }
    return ["\(layout.name).\(property.property): its links change on the way"]
  }

  private func canBeMade(_ check: RowCheck) -> Bool {
    switch check.rule {
    case .mandatory: isKnown(check.property.property, alsoChanged: true)
    case .value: isKnown(check.property.property)
    case .unique(let names): names.allSatisfy(isKnownOrLink)
    case .atLeast: links.sight(of: check.property) != .none
    case .atMost, .present: links.sight(of: check.property) == .whole
    // They are about what the copy itself makes.
    case .entityNumber, .inverse, .family, .primaryKey, .count, .convertible: false
    }
  }

  /// Whether the views have the values of an attribute as they are going to be; or at least, where
  /// values are changed on their way, those that are missing.
  func isKnown(_ name: String, alsoChanged: Bool = false) -> Bool {
    obstacle(to: name, alsoChanged: alsoChanged) == nil
  }

  /// Why the views do not have them, in words.
  private func obstacle(to name: String, alsoChanged: Bool) -> String? {
    var name = name
    for (step, object) in zip(steps, path.steps).reversed() {
      guard let attribute = object.attribute(named: name) else { return "it is no attribute" }
      if step.claims.revised.contains(PropertyReference(object.target, name)) {
        return "a stage may change it"
      }
      switch attribute.origin {
      case .script: return "a script gives it"
      case .derivation: return "it is computed from other properties"
      case .value, .null: return nil
      case .source(let source, let conversion):
        let isChanged = attribute.storage != .none || conversion?.keepsStoredForm == false
        guard !isChanged || alsoChanged && attribute.replacement == nil else {
          return "its values are converted on the way"
        }
        name = source
      }
    }
    return nil
  }

  /// Whether every object gets a value of an attribute from its mapping: a constant or a default.
  func isGiven(_ name: String) -> Bool {
    var name = name
    for (step, object) in zip(steps, path.steps).reversed() {
      switch object.attribute(named: name)?.origin {
      case .value(let constant):
        let attribute = step.target.model.attribute(name, ofEntity: object.target)
        switch attribute.flatMap({ AttributeStorage(of: $0).stored(constant: constant) }) {
        case nil, .null: return false
        // SQLite takes NaN for NULL.
        case .real(let number): return !number.isNaN
        default: return true
        }
      case .source(let source, nil): name = source
      default: return false
      }
    }
    return false
  }

  /// Whether a stage of the last step may change a property when the objects are there.
  private func isRevised(_ name: String) -> Bool {
    steps.last?.claims.revised.contains(PropertyReference(layout.name, name)) == true
  }

  private func isKnownOrLink(_ name: String) -> Bool {
    guard path.steps.last?.attribute(named: name) == nil else { return isKnown(name) }
    guard !isRevised(name), let link = relationship(name) else { return false }
    return links.sight(of: link) == .whole
  }

  /// A relationship of the last target, by the entity that declares it.
  private func relationship(_ name: String) -> PropertyReference? {
    guard let model = steps.last?.target.model, let entity = model.entity(named: layout.name)
    else { return nil }
    return model.relationship(named: name, of: entity).map {
      PropertyReference($0.declaredBy.name, name)
    }
  }

  /// A link to an object that is left out is taken away, so that there is none.
  private func mandatory(_ check: RowCheck, among checks: [RowCheck]) -> RowCheck? {
    switch links.sight(of: check.property) {
    case .none: return nil
    case .whole: return check
    case .lossy:
      let present = checks.first { $0.rule == .present && $0.property == check.property }
      guard let present, let table = links.destination(of: check.property) else { return check }
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
