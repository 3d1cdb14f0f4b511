internal import CoreDataStore
internal import SQLite

/// Finds objects of the new store that nothing in the source makes.
struct ExtraObjects {
  private let pair: StepVerification
  /// How many objects of an entity were found to be what the source's became, each by its own key.
  private var found: [String: Int] = [:]

  init(_ pair: StepVerification) { self.pair = pair }

  /// Notes that each object of a mapping is there: where keys are kept, no two are the same.
  mutating func note(_ count: Int, of object: ObjectMapping) {
    guard object.keys == .kept, pair.mapping.objects(into: object.target).count == 1 else { return }
    found[object.target] = count
  }

  /// Looks at every entity whose objects no script makes.
  func find(_ result: inout VerificationResult) throws {
    let scripted = Set(pair.mapping.objects.filter(\.isScripted).map(\.target))
    let isScripted = pair.mapping.entities.contains { $0.fate == .scripted }
    for layout in pair.targetSchema.entities where !layout.isAbstract {
      // A script may make objects of any entity: they are compared with what it makes again.
      if isScripted,
        scripted.contains(layout.name) || pair.mapping.objects(into: layout.name).isEmpty
      {
        continue
      }
      if pair.untouched.contains(layout.table) { continue }
      if let count = found[layout.name], try self.count(layout) == Int64(count) { continue }
      try find(layout, &result)
    }
  }

  private func count(_ layout: EntityLayout) throws -> Int64? {
    if let rows = pair.found[layout.table], let numbers = rows.numbers {
      return Int64(numbers[Int64(layout.number)] ?? 0)
    }
    return try pair.connection.integer(
      """
      SELECT count(*) FROM main.\(Identifier.quoted(layout.table)) WHERE Z_ENT = \(layout.number)
      """)
  }

  private func find(_ layout: EntityLayout, _ result: inout VerificationResult) throws {
    let table = "main.\(Identifier.quoted(layout.table))"
    let origins = try pair.mapping.objects(into: layout.name).filter { !$0.isAbstract }
      .map { "AND NOT EXISTS (\(try origin($0, layout)))" }.joined(separator: "\n")
    try pair.connection.query(
      "SELECT t.Z_PK FROM \(table) AS t WHERE t.Z_ENT = \(layout.number) \(origins)"
    ) { row in
      try pair.add(
        VerificationDifference(.extra, layout.name, row.integer(0) ?? 0), to: &result)
    }
  }

  private func origin(_ object: ObjectMapping, _ layout: EntityLayout) throws -> String {
    let source = try pair.sourceLayout(object.source)
    guard object.keys == .kept else {
      return """
        SELECT 1 FROM \(BuilderTables.objects) AS p WHERE p.entity = \(layout.number)
        AND p.object = t.Z_PK AND p.source_entity = \(source.number)
        """
    }
    let conditions = try RowExpressions.conditions(object.conditions, source, pair)
    return """
      SELECT 1 FROM \(Identifier.quoted(source.table, in: "source")) AS s
      WHERE s.Z_PK = t.Z_PK AND s.Z_ENT = \(source.number)
      \(conditions.map { "AND (\($0))" } ?? "")
      """
  }
}
