internal import CoreDataStore
internal import SQLite

/// The objects of one mapping, copied in chunks in the order of Z_PK, each one transaction.
package final class ObjectCopy {
  /// The mapping that is carried out.
  package let object: ObjectMapping
  /// How many objects the source has.
  package let total: Int

  private let builder: StoreBuilder
  private let expressions: RowExpressions
  private let rows: RowCopy
  private let root: String
  private var row: ProgressRow
  private var pace: ChunkPace

  /// Goes on where an earlier run stopped.
  package init(
    _ builder: StoreBuilder, _ object: ObjectMapping, limits: ChunkLimits = ChunkLimits()
  ) throws {
    self.builder = builder
    self.object = object
    expressions = try RowExpressions(builder, object)
    root = builder.root(of: expressions.target)
    let unit = Self.unit(of: object)
    let row = try builder.progress(of: unit) ?? ProgressRow(unit: unit)
    total = try row.isDone ? row.rows : builder.objectCount(of: object.source)
    self.row = row
    pace = ChunkPace(limits)
    rows = Self.rows(builder, expressions)
  }

  /// The name under which it is noted how far a mapping has come.
  static func unit(of object: ObjectMapping) -> String { "copy \(object.source) \(object.target)" }

  /// How far it has come.
  package var progress: CopyProgress {
    CopyProgress(entity: object.source, rows: row.rows, total: total, bytes: row.bytes)
  }

  /// How many of the objects looked at did not meet the conditions.
  package var leftOut: Int { row.rows - row.made }

  /// Copies the next objects; false when there are none.
  package func chunk() throws -> Bool {
    guard try !row.isDone && !isMoved() else { return false }
    let start = ContinuousClock.now
    let next: ProgressRow
    do {
      next = try builder.connection.transaction { try copy() }
    } catch let error as SQLiteError {
      let table = LongValue(builder.connection, table: expressions.source.table, in: "source")
      throw Failure(
        error, what: "cannot copy the objects",
        subject: table.subject("entity \(object.source)", error, after: row.last))
    }
    pace.note(bytes: next.bytes - row.bytes, time: start.duration(to: .now))
    row = next
    return !row.isDone
  }

  /// Whether the objects came over with their whole table, which is seen to where it can be.
  private func isMoved() throws -> Bool {
    guard try TableTransfer(builder, expressions.source.table).run() else { return false }
    row = try builder.progress(of: row.unit) ?? row
    return row.isDone
  }

  private func copy() throws -> ProgressRow {
    let before = try builder.size()
    var next = row
    if isStraight {
      let count = try rows.run([.behind(row.last), .integer(Int64(pace.rows))])
      next.made += count
      next.rows += count
      // Z_PK is the rowid, and the rows came in its order.
      if count > 0 { next.last = builder.connection.lastInsertRowID }
      next.isDone = count < pace.rows
    } else if let (last, count) = try range() {
      if object.keys == .renumbered { try giveKeys(upTo: last) }
      next.made += try rows.run([.behind(row.last), .integer(last)])
      next.rows += count
      next.last = last
      next.isDone = count < pace.rows
    } else {
      next.isDone = true
    }
    next.bytes += max(0, try builder.size() - before)
    try builder.record(next)
    return next
  }

  /// The last key of the next rows, and how many they are.
  private func range() throws -> (last: Int64, count: Int)? {
    let source = expressions.source
    let found = try builder.connection.rows(
      """
      SELECT max(k), count(*) FROM (SELECT Z_PK AS k
      FROM \(Identifier.quoted(source.table, in: "source"))
      WHERE Z_ENT = \(source.number) AND Z_PK > ?1 ORDER BY Z_PK LIMIT ?2)
      """, [.behind(row.last), .integer(Int64(pace.rows))])
    guard let last = found.first?[0].integer, let count = found.first?[1].integer else {
      return nil
    }
    return (last, Int(count))
  }

  /// Gives each object its new key, and notes which.
  private func giveKeys(upTo last: Int64) throws {
    let source = expressions.source
    let first = try KeySupply(builder).take(0, root: root)
    let count = try builder.connection.run(
      """
      INSERT INTO main.\(BuilderTables.objects)
      SELECT \(source.number), s.Z_PK, \(expressions.target.number),
      ?3 + row_number() OVER (ORDER BY s.Z_PK), 0
      FROM \(Identifier.quoted(source.table, in: "source")) AS s
      WHERE \(Self.filter(expressions, 0))
      """, [.behind(row.last), .integer(last), .integer(first - 1)])
    _ = try KeySupply(builder).take(count, root: root)
  }

  private static func filter(_ expressions: RowExpressions, _ parameters: Int) -> String {
    let range =
      "s.Z_ENT = \(expressions.source.number) "
      + "AND s.Z_PK > ?\(parameters + 1) AND s.Z_PK <= ?\(parameters + 2)"
    return expressions.conditions.map { "\(range) AND (\($0))" } ?? range
  }

  /// Whether one statement reads and makes the next rows: what it came to tells how far it went.
  private var isStraight: Bool { Self.isStraight(expressions) }

  private static func isStraight(_ expressions: RowExpressions) -> Bool {
    expressions.object.keys == .kept && !expressions.needsRows && expressions.conditions == nil
  }

  private static func rows(
    _ builder: StoreBuilder, _ expressions: RowExpressions
  ) -> RowCopy {
    let parameters = expressions.bindings.count
    if isStraight(expressions) {
      return RowCopy(
        builder, expressions, key: "s.Z_PK",
        filter: "s.Z_ENT = \(expressions.source.number) AND s.Z_PK > ?\(parameters + 1)",
        limit: "?\(parameters + 2)")
    }
    let filter = filter(expressions, parameters)
    guard expressions.object.keys == .renumbered else {
      return RowCopy(builder, expressions, key: "s.Z_PK", filter: filter)
    }
    let join = """
      JOIN main.\(BuilderTables.objects) AS p ON p.source_entity = \(expressions.source.number)
      AND p.source = s.Z_PK AND p.entity = \(expressions.target.number)
      """
    return RowCopy(builder, expressions, key: "p.object", join: join, filter: filter)
  }
}
