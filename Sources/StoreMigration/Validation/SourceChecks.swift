internal import CoreDataStore
internal import SQLite

/// Finds, for a rule of the target, the same rule of the source.
struct SourceChecks {
  private struct Counterpart {
    let path: ObjectPath
    let layout: EntityLayout
    let check: RowCheck
  }

  private let mappings: ArraySlice<Mapping>
  private let source: StoreSchema
  private let target: StoreSchema
  private let database: String
  private let memory = Memory()

  /// `mappings` lead from the source to the target, one or several in a chain; `database` is the
  /// source's name on the connection.
  init(
    _ mappings: [Mapping], from source: StoreSchema, to target: StoreSchema,
    database: String = "source"
  ) {
    self.database = database
    self.mappings = mappings[...]
    self.source = source
    self.target = target
  }

  /// Whether the violation by a row `s` stood in the source: SQL over that row.
  func isInSource(_ check: RowCheck, of layout: EntityLayout) throws -> String {
    let places = try counterparts(of: check, layout).filter(\.path.keepsKeys)
    let texts = places.map { place in
      let isSame = zip(place.check.values, check.values).map { "\($0) IS \($1)" }
      let conditions =
        ["t.Z_PK = s.Z_PK", place.layout.isOwn("t")] + isSame
        + ["(\(place.check.violation))"]
      return "EXISTS (\(rows(place.layout, conditions)))"
    }
    return texts.isEmpty ? "0" : texts.joined(separator: " OR ")
  }

  /// Whether a rule holds in the source as well, for the objects that come this way.
  func haveRule(_ check: RowCheck, of layout: EntityLayout, on path: ObjectPath) throws -> Bool {
    try counterpart(of: check, layout, path) != nil
  }

  /// How many objects with new keys broke the rule in the source: SQL for a number.
  ///
  /// Nothing shows any more which object was which, so that as many may break it now.
  func renumbered(_ check: RowCheck, of layout: EntityLayout) throws -> String? {
    guard check.confirm == nil else { return nil }
    let places = try counterparts(of: check, layout).filter { !$0.path.keepsKeys }
    let texts = places.map { place in
      let conditions = [place.layout.isOwn("t"), "(\(place.check.violation))"]
      return "(SELECT count(*) FROM (\(rows(place.layout, conditions))))"
    }
    return texts.isEmpty ? nil : texts.joined(separator: " + ")
  }

  private func rows(_ layout: EntityLayout, _ conditions: [String]) -> String {
    let table = Identifier.quoted(layout.table, in: database)
    return "SELECT 1 FROM \(table) AS t WHERE \(conditions.joined(separator: " AND "))"
  }

  private func counterparts(of check: RowCheck, _ layout: EntityLayout) throws -> [Counterpart] {
    try ObjectPath.all(into: layout.name, mappings).compactMap {
      try counterpart(of: check, layout, $0)
    }
  }

  private func counterpart(
    of check: RowCheck, _ layout: EntityLayout, _ path: ObjectPath
  ) throws -> Counterpart? {
    guard let place = source.entity(named: path.source), let rule = rule(check, path, layout)
    else { return nil }
    let names = properties(check, path)
    let found = try memory.checks(of: place, in: source, database).first {
      $0.rule == rule && $0.isRelationship == check.isRelationship
        && (names == nil || names?.contains($0.property) == true)
    }
    return found.map { Counterpart(path: path, layout: place, check: $0) }
  }

  /// The rule as the source has it; only names in it can differ.
  private func rule(_ check: RowCheck, _ path: ObjectPath, _ layout: EntityLayout) -> ObjectRule? {
    guard case .unique(let names) = check.rule else { return check.rule }
    let old = names.compactMap { name -> String? in
      if let attribute = path.attribute(name) { return attribute }
      let entity = target.model.entity(named: layout.name)
      let declared = entity.flatMap { target.model.relationship(named: name, of: $0)?.declaredBy }
      return declared.flatMap { links(PropertyReference($0.name, name)).first?.property }
    }
    return old.count == names.count ? .unique(old) : nil
  }

  /// The properties of the source that a check of one property may be about; nil for any.
  private func properties(_ check: RowCheck, _ path: ObjectPath) -> [PropertyReference]? {
    if case .unique = check.rule { return nil }
    if check.isRelationship { return links(check.property) }
    guard let name = path.attribute(check.property.property),
      let entity = source.model.entity(named: path.source),
      let declared = source.model.attribute(named: name, of: entity)?.declaredBy
    else { return [] }
    return [PropertyReference(declared.name, name)]
  }

  /// Why a rule is not looked at; nil where it is.
  ///
  /// "A new to-one is NULL", although its inverse leads to the object: Core Data leaves it so.
  func exception(_ check: RowCheck) -> String? {
    guard case .inverse = check.rule, isApart(check.property) else { return nil }
    return "\(check.property): whether the inverse leads back; Core Data leaves a new one empty"
  }

  /// Whether a relationship and its inverse have their links from two places, or one has none.
  private func isApart(_ reference: PropertyReference) -> Bool {
    var reference = reference
    for mapping in mappings.reversed() {
      let links = mapping.links(of: reference)
      if links.contains(where: \.isOneSided) { return true }
      let directions = links.flatMap { [$0.forward, $0.backward] }
      guard let old = directions.first(where: { $0.target == reference })?.source else {
        return false
      }
      reference = old
    }
    return false
  }

  private func links(_ reference: PropertyReference) -> [PropertyReference] {
    ObjectPath.links(of: reference, mappings)
  }

  /// The same relationship of the source, and what holds it there.
  func joins(of reference: PropertyReference) -> [(PropertyReference, JoinTable)] {
    links(reference).compactMap { old in
      source.joinTables.first { $0.storage(of: old) != nil }.map { (old, $0) }
    }
  }
}

extension SourceChecks {
  /// The checks of the source's entities, each worked out once.
  private final class Memory {
    private var checks: [String: [RowCheck]] = [:]

    func checks(
      of layout: EntityLayout, in schema: StoreSchema, _ database: String
    ) throws -> [RowCheck] {
      if let known = checks[layout.name] { return known }
      let found = try RowChecks(of: layout, in: schema, database: database, alias: "t").all
      checks[layout.name] = found
      return found
    }
  }
}
