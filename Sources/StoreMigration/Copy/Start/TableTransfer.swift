internal import CoreDataStore
internal import SQLite

/// A table of objects that stays as it is, in a store that began empty: it is moved as a whole.
///
/// "The transfer optimization ... moves raw records and index entries from one table to another" of
/// the same columns in the same order (SQLite, insert.c, xferOptimization): there must be no
/// condition and no order, and the new table must be empty and have no index that the old one has
/// not. So those that both have are made before, and proved afterwards: of old indexes that are
/// alike SQLite takes whichever comes first. What is not right is made anew at the end.
struct TableTransfer {
  private let builder: StoreBuilder
  private let table: String
  private var unit: String { "move \(table)" }

  init(_ builder: StoreBuilder, _ table: String) {
    (self.builder, self.table) = (builder, table)
  }

  /// Notes that the table is to be moved, with these indexes of it.
  func note(_ indexes: Set<String>) throws {
    let names = indexes.sorted().joined(separator: "\n")
    try builder.record(ProgressRow(unit: unit, state: Array(names.utf8)))
  }

  /// Moves the table, unless that was done; false for one that is not to be moved.
  func run() throws -> Bool {
    guard let noted = try builder.progress(of: unit) else { return false }
    guard !noted.isDone else { return true }
    let names = String(decoding: noted.state ?? [], as: UTF8.self).split(separator: "\n")
    try builder.telling("cannot copy the objects", "table \(table)") {
      try builder.connection.transaction { try move(with: Set(names.map { String($0) })) }
    }
    return true
  }

  private func move(with indexes: Set<String>) throws {
    let connection = builder.connection
    for index in builder.targetSchema.indexes
    where index.table == table && indexes.contains(index.name) {
      try connection.execute(index.sql)
    }
    try connection.run(
      "INSERT INTO \(Identifier.quoted(table, in: "main")) "
        + "SELECT * FROM \(Identifier.quoted(table, in: "source"))", [])
    let right = try IndexProof(connection).right(of: table, holding: table)
    for index in try Schema(of: connection).indexes(of: table) where !right.contains(index.name) {
      try connection.execute("DROP INDEX \(Identifier.quoted(index.name, in: "main"))")
    }
    let entities = builder.sourceSchema.table(named: table)?.entities ?? []
    for object in entities.compactMap({ builder.mapping.objects(from: $0) })
    where !object.isAbstract {
      let count = try builder.objectCount(of: object.source)
      try builder.record(
        ProgressRow(
          unit: ObjectCopy.unit(of: object), last: .max, rows: count, made: count, isDone: true))
    }
    try builder.record(ProgressRow(unit: unit, isDone: true))
  }
}
