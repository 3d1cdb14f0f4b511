internal import CoreDataStore
internal import SQLite

/// The way `moved`: a table of objects that stays as it is, in a store that began empty, is moved
/// as a whole, with the objects of all its entities.
///
/// "The transfer optimization ... moves raw records and index entries from one table to another" of
/// the same columns in the same order (SQLite, insert.c, xferOptimization): there must be no
/// condition and no order, and the new table must be empty and have no index that the old one has
/// not. So those that both have are made before, and proved afterwards: of old indexes that are
/// alike SQLite takes whichever comes first. What is not right is rebuilt at the end.
final class MovedTable: EntityCopy {
  private let builder: StoreBuilder
  private let object: ObjectMapping
  private let table: String
  private(set) var progress: CopyProgress

  init(_ builder: StoreBuilder, _ object: ObjectMapping) throws {
    (self.builder, self.object) = (builder, object)
    table = try builder.sourceLayout(object.source).table
    let rows = try builder.progress(of: CopiedRows.unit(of: object))?.rows
    progress = CopyProgress(
      entity: object.source, rows: rows ?? 0,
      total: try rows ?? builder.objectCount(of: object.source), bytes: 0)
  }

  private static func unit(of table: String) -> String { "move \(table)" }

  /// Notes that a table is to be moved, and makes these indexes of it.
  static func note(_ table: String, _ indexes: Set<String>, _ builder: StoreBuilder) throws {
    for index in builder.targetSchema.indexes(of: table) where indexes.contains(index.name) {
      try builder.connection.execute(index.sql)
    }
    try builder.record(ProgressRow(unit: unit(of: table)))
  }

  /// Moves the table, unless it was moved with the objects of another entity.
  func chunk() throws -> Bool {
    guard let noted = try builder.progress(of: Self.unit(of: table)) else {
      throw Failure.defect(
        "the table was to be moved, and is not noted so", what: "cannot copy the objects",
        subject: "entity \(object.source)")
    }
    progress.rows = progress.total
    guard !noted.isDone else { return false }
    try builder.telling("cannot copy the objects", "table \(table)") {
      try builder.unit { try move() }
    }
    return false
  }

  private func move() throws {
    let connection = builder.connection
    try connection.run(
      "INSERT INTO \(Identifier.quoted(table, in: "main")) "
        + "SELECT * FROM \(Identifier.quoted(table, in: "source"))", [])
    let right = try IndexProof(connection).right(of: table, holding: table)
    for index in try connection.indexes(of: table) where !right.contains(index.name) {
      try connection.execute("DROP INDEX \(Identifier.quoted(index.name, in: "main"))")
    }
    let entities = builder.sourceSchema.table(named: table)?.entities ?? []
    for object in entities.compactMap({ builder.mapping.objects(from: $0) })
    where !object.isAbstract {
      let count = try builder.objectCount(of: object.source)
      try builder.record(
        ProgressRow(
          unit: CopiedRows.unit(of: object), last: .max, rows: count, made: count, isDone: true))
    }
    try builder.record(ProgressRow(unit: Self.unit(of: table), isDone: true))
  }
}
