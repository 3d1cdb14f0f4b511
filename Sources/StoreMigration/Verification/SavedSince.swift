internal import CoreDataStore
internal import SQLite

/// What explains a difference in a store that others may have written to since the run that made
/// it: Core Data gives keys out once, and counts each object's saves in Z_OPT.
package struct SavedSince: Sendable {
  /// The highest key that each table's root entity had given out when the run ended.
  private let highestKeys: [String: Int64]

  /// What a run left of itself.
  package init(highestKeys: [String: Int64]) { self.highestKeys = highestKeys }

  /// The same difference with what explains it, where the source was read.
  func explained(
    _ difference: VerificationDifference, _ pair: StepVerification
  ) throws -> VerificationDifference {
    try explained(difference, pair.targetSchema, pair.connection) { layout in
      let table = Identifier.quoted(layout.table)
      let counters = try pair.mapping.objects.filter { object in
        try !object.isAbstract && pair.targetLayout(object.target).table == layout.table
      }.map { try Self.counter($0, pair) }
      // What nothing in the source became was made by the run, with a counter of 1; "coalesce()
      // must have at least 2 arguments" (SQLite).
      let before = (counters + ["1", "1"]).joined(separator: ", ")
      return """
        SELECT ifnull(t.Z_OPT, 0) > coalesce(\(before)) FROM main.\(table) AS t WHERE t.Z_PK = ?1
        """
    }
  }

  /// The same, where rows of the source were compared one by one with those that a run has staged.
  func explained(
    _ difference: VerificationDifference, stagedOf rows: ComputedRows, _ schema: StoreSchema,
    _ connection: Connection
  ) throws -> VerificationDifference {
    try explained(difference, schema, connection) { layout in
      """
      SELECT ifnull(t.Z_OPT, 0) > ifnull(s.Z_OPT, 0)
      FROM \(Identifier.quoted(layout.table, in: StagedMark.name)) AS t
      JOIN \(Identifier.quoted(rows.columns.expressions.source.table, in: "source")) AS s
      ON s.Z_PK = t.Z_PK WHERE t.Z_PK = ?1
      """
    }
  }

  /// The same, where a twin was made.
  func explained(
    _ difference: VerificationDifference, twinOf schema: StoreSchema, _ connection: Connection
  ) throws -> VerificationDifference {
    try explained(difference, schema, connection) { layout in
      let table = Identifier.quoted(layout.table)
      return """
        SELECT ifnull(t.Z_OPT, 0) > ifnull(a.Z_OPT, 0) FROM main.\(table) AS t
        JOIN twin.\(table) AS a ON a.Z_PK = t.Z_PK WHERE t.Z_PK = ?1
        """
    }
  }

  private func explained(
    _ difference: VerificationDifference, _ schema: StoreSchema, _ connection: Connection,
    _ isSaved: (EntityLayout) throws -> String
  ) throws -> VerificationDifference {
    var difference = difference
    if difference.kind == .missing { difference.kind = .deleted }
    guard difference.kind != .deleted, let layout = schema.entity(named: difference.entity) else {
      return difference
    }
    if difference.kind == .extra {
      let root = schema.table(of: layout)?.root ?? layout.name
      guard let highest = highestKeys[root], difference.key > highest else { return difference }
      (difference.kind, difference.isSince) = (.made, true)
      return difference
    }
    let sql = try isSaved(layout)
    difference.isSince = try connection.integer(sql, [.integer(difference.key)]) == 1
    return difference
  }

  /// The save counter that an object had in the source, as an expression over its row `t`.
  private static func counter(_ object: ObjectMapping, _ pair: StepVerification) throws -> String {
    let source = try pair.sourceLayout(object.source)
    let table = Identifier.quoted(source.table, in: "source")
    guard object.keys != .kept else {
      return """
        (SELECT s.Z_OPT FROM \(table) AS s WHERE s.Z_PK = t.Z_PK AND s.Z_ENT = \(source.number))
        """
    }
    return """
      (SELECT s.Z_OPT FROM \(BuilderTables.objects) AS p JOIN \(table) AS s
      ON s.Z_PK = p.source WHERE p.source_entity = \(source.number)
      AND p.entity = t.Z_ENT AND p.object = t.Z_PK)
      """
  }
}
