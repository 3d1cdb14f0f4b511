package import CoreDataStore
package import SQLite
internal import StoreReplacement

/// Compares a new store with one that was made a second time, by the same scripts of the same
/// source.
package final class TwinComparison {
  /// What of a store is compared.
  package enum Part: Sendable, Hashable {
    /// Some attributes of the objects of some entities.
    case attributes([String: Set<String>])
    /// Every object, attribute and link.
    case everything
    /// All but the objects of some entities, what leads to them, and some properties.
    case rest(besides: Set<String>, properties: Set<PropertyReference>)
  }

  private let target: VerifiedStore
  private let twin: VerifiedStore
  private let part: Part
  private let limit: Int
  private let mark: StagedMark?
  private let since: SavedSince?
  private let connection: Connection

  /// Opens both stores; of the twin, objects and links have to be there, and nothing else.
  ///
  /// With a `mark` in a column it has what the store has there: that was compared before.
  /// `since` is what is known of a store that others may have written to since it was made.
  package init(
    of target: VerifiedStore, with twin: VerifiedStore, _ part: Part,
    marked mark: StagedMark? = nil,
    since: SavedSince? = nil, limit: Int = 100
  ) throws {
    (self.target, self.twin, self.part, self.limit) = (target, twin, part, limit)
    (self.mark, self.since) = (mark, since)
    do {
      connection = try Connection(path: target.path, mode: .foreign)
      try connection.attach(twin.path, as: "twin", .readOnly)
    } catch {
      throw Failure(error, what: "cannot verify the store", subject: target.path)
    }
  }

  /// Stops a comparison that is running, from any thread.
  package var interrupter: Interrupter { connection.interrupter }

  /// Compares, then closes both stores.
  package func run() throws -> VerificationResult {
    defer { try? connection.close() }
    var result = VerificationResult(limit: limit)
    do {
      try connection.transaction(.deferred) {
        for layout in layouts { try compare(layout, &result) }
        if case .attributes = part { return }
        for table in target.schema.joinTables where isCompared(table.master) {
          try compare(table, &result)
        }
      }
      return result
    } catch let error as SQLiteError {
      throw Failure(error, what: "cannot verify the store", subject: target.path)
    }
  }

  private func add(
    _ difference: VerificationDifference, made: Value = .null, to result: inout VerificationResult
  ) throws {
    let explained = try since?.explained(difference, twinOf: target.schema, connection)
    result.add(explained ?? difference, made: made)
  }

  private var layouts: [EntityLayout] {
    let all = target.schema.entities.filter { !$0.isAbstract }
    return switch part {
    case .attributes(let attributes): all.filter { attributes[$0.name] != nil }
    case .everything: all
    case .rest(let entities, _): all.filter { !entities.contains($0.name) }
    }
  }

  private func isCompared(_ attribute: String, of layout: EntityLayout) -> Bool {
    switch part {
    case .attributes(let attributes): attributes[layout.name]?.contains(attribute) == true
    case .everything: true
    case .rest(_, let properties): !properties.contains(PropertyReference(layout.name, attribute))
    }
  }

  /// Whether the links of a relationship are compared: both its ends, and what inherits from them.
  private func isCompared(_ link: PropertyReference) -> Bool {
    guard case .rest(let entities, let properties) = part else { return part == .everything }
    let model = target.schema.model
    let relationship = model.relationship(link.property, ofEntity: link.entity)
    let inverse = relationship.flatMap { model.inverse(of: $0) }?.relationship.name
    let ends = [(link.entity, link.property), (relationship?.destination ?? "", inverse ?? "")]
    return !model.entities.contains { entity in
      let lineage = Set(model.lineage(of: entity).map(\.name))
      return ends.contains { name, property in
        lineage.contains(name)
          && (entities.contains(entity.name)
            || properties.contains(PropertyReference(entity.name, property)))
      }
    }
  }

  private func compare(_ layout: EntityLayout, _ result: inout VerificationResult) throws {
    let table = Identifier.quoted(layout.table)
    let checks = self.checks(layout)
    let rows = """
      FROM twin.\(table) AS a LEFT JOIN main.\(table) AS t ON t.Z_PK = a.Z_PK
      WHERE a.Z_ENT = \(layout.number)
      """
    let isGood = "t.Z_PK IS NOT NULL AND (\(ColumnCheck.all(checks.map(\.check))))"
    let list = (["a.Z_PK", "t.Z_PK"] + checks.map(\.check.sql) + checks.map(\.made))
      .joined(separator: ", ")
    let statement = try connection.prepare(
      "SELECT \(list) \(rows) AND (\(isGood)) IS NOT 1 ORDER BY a.Z_PK")
    while try statement.step() {
      let key = statement.row.integer(0) ?? 0
      guard statement.row.integer(1) != nil else {
        try add(VerificationDifference(.missing, layout.name, key), to: &result)
        continue
      }
      for (place, (check, _)) in checks.enumerated()
      where statement.row.integer(place + 2) != 1 {
        try add(
          VerificationDifference(check.kind, layout.name, key, check.property),
          made: try content(of: try statement.row.value(checks.count + place + 2)), to: &result)
      }
    }
    try connection.query(
      """
      SELECT t.Z_PK FROM main.\(table) AS t WHERE t.Z_ENT = \(layout.number)
      AND NOT EXISTS (SELECT 1 FROM twin.\(table) AS a WHERE a.Z_PK = t.Z_PK)
      """
    ) { row in
      try add(VerificationDifference(.extra, layout.name, row.integer(0) ?? 0), to: &result)
    }
    try compareFiles(layout, &result)
    result.objects += Int(try connection.integer("SELECT count(*) \(rows)") ?? 0)
  }

  private func columns(_ layout: EntityLayout) -> [StoreColumn] {
    target.schema.table(of: layout)?.columns ?? []
  }

  /// A value of the twin's, or what is in its file: the file has another name each time.
  private func content(of value: Value) throws -> Value {
    guard let file = value.blob.flatMap(ExternalReference.init(stored:)),
      let digest = try twin.digest(of: file)
    else { return value }
    return .text(Text(digest.sha256))
  }

  /// What each column must be, with what the twin has there.
  private func checks(_ layout: EntityLayout) -> [(check: ColumnCheck, made: String)] {
    columns(layout).compactMap { column in
      let value = "a.\(Identifier.quoted(column.name))"
      return check(column, layout, value).map { ($0, value) }
    }
  }

  private func check(
    _ column: StoreColumn, _ layout: EntityLayout, _ value: String
  ) -> ColumnCheck? {
    switch column.role {
    case .primaryKey: return nil
    case .saveCounter where since != nil: return ColumnCheck(saved: column, since: "a")
    case .entityNumber, .saveCounter: return ColumnCheck(column, is: value)
    case .attribute(let property):
      let attribute = target.schema.model.attribute(property.property, ofEntity: property.entity)
      // Derived attributes are computed when all is there, and compared by computing them again.
      guard attribute?.derivation == nil, isCompared(property.property, of: layout) else {
        return nil
      }
      let check =
        target.schema.mayBeExternal(column)
        ? ColumnCheck(external: column, is: value) : ColumnCheck(column, is: value)
      guard column.type == .blob, let mark else {
        return ColumnCheck(check.property, .script, check.sql)
      }
      // CASE is lazy, and large values are not read for it.
      return ColumnCheck(
        check.property, .script,
        "CASE WHEN \(value) IS \(mark.sql) THEN 1 ELSE \(check.sql) END")
    case .toOne(let link), .destinationEntity(let link), .owner(let link):
      guard isCompared(link) else { return nil }
      return ColumnCheck(
        column.propertyName, .link, "t.\(Identifier.quoted(column.name)) IS \(value)")
    case .position(let link), .ownerPosition(let link):
      guard isCompared(link) else { return nil }
      let key = columns(layout).first { $0.role == .toOne(link) || $0.role == .owner(link) }
      let moved = key.map { Identifier.quoted($0.name) }.map { " OR t.\($0) IS NOT a.\($0)" }
      return ColumnCheck(
        column.propertyName, .order,
        "(t.\(Identifier.quoted(column.name)) IS \(value)\(moved ?? ""))")
    }
  }

  private func compareFiles(
    _ layout: EntityLayout, _ result: inout VerificationResult
  ) throws {
    for column in columns(layout).filter(target.schema.mayBeExternal)
    where isCompared(column.propertyName, of: layout) {
      let name = Identifier.quoted(column.name)
      let table = Identifier.quoted(layout.table)
      let statement = try connection.prepare(
        """
        SELECT t.Z_PK, a.\(name), t.\(name) FROM twin.\(table) AS a
        JOIN main.\(table) AS t ON t.Z_PK = a.Z_PK
        WHERE t.Z_ENT = \(layout.number) AND \(ColumnCheck.isReference("t.\(name)"))
        """)
      while try statement.step() {
        guard let new = try statement.row.blob(2).flatMap(ExternalReference.init(stored:)),
          let again = try statement.row.blob(1).flatMap(ExternalReference.init(stored:)),
          target.file(of: new) != twin.file(of: again),
          try target.digest(of: new) != twin.digest(of: again)
        else { continue }
        try add(
          VerificationDifference(
            .blob, layout.name, statement.row.integer(0) ?? 0, column.propertyName),
          made: try content(of: .blob(again.stored)), to: &result)
      }
    }
  }

  /// Pairs that only one of the stores has, reported for the object at the first end.
  private func compare(_ table: JoinTable, _ result: inout VerificationResult) throws {
    let columns = table.columns.map { Identifier.quoted($0) }.joined(separator: ", ")
    let name = Identifier.quoted(table.name)
    let keys = table.columns.prefix(2).map { Identifier.quoted($0) }
    for (one, other) in [("main", "twin"), ("twin", "main")] {
      try connection.query(
        "SELECT \(columns) FROM \(one).\(name) EXCEPT SELECT \(columns) FROM \(other).\(name)"
      ) { row in
        let pair: [Value] = [
          row.integer(0).map(Value.integer) ?? .null, row.integer(1).map(Value.integer) ?? .null,
        ]
        let isThere =
          try connection.integer(
            "SELECT 1 FROM \(other).\(name) WHERE \(keys[0]) = ?1 AND \(keys[1]) = ?2", pair) == 1
        // Another place is another row, seen both ways.
        if isThere, one == "twin" { return }
        try add(
          VerificationDifference(
            isThere ? .order : .link, table.master.entity, row.integer(0) ?? 0,
            table.master.property), to: &result)
      }
    }
  }
}
