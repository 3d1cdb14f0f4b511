internal import CoreDataStore
internal import SQLite

// The tables with which a store began that is being built.
extension StoreBuilder {
  /// Notes what is there already: the objects as copied, the tables of pairs to be asked for.
  func note(_ kept: KeptTables) throws {
    for (entity, count) in kept.counts {
      guard let object = mapping.objects(from: entity), !object.isAbstract else { continue }
      try record(
        ProgressRow(
          unit: CopiedRows.unit(of: object), last: .max, rows: count, made: count, isDone: true))
    }
    for table in kept.joins { try record(ProgressRow(unit: Self.unit(of: table.name))) }
    for index in kept.damagedIndexes { try DamagedIndexes(self).note(index) }
  }

  /// Notes what is to be moved into a store that began empty.
  func noteMoves(of kept: KeptTables) throws {
    for table in kept.objects { try MovedTable.note(table.name, kept.indexes, self) }
  }

  /// Whether a table of pairs has the source's pairs since the store began.
  func isKept(_ join: String) throws -> Bool { try progress(of: Self.unit(of: join)) != nil }

  /// Empties a table of pairs that the store began with: its links have to be looked at one by one.
  func giveUp(_ join: JoinTable) throws {
    guard try isKept(join.name) else { return }
    // "DELETE FROM" without a condition "erases the entire table without having to visit each
    // row"; indexes are made again at the end.
    for index in targetSchema.indexes(of: join.name) {
      try connection.execute("DROP INDEX IF EXISTS \(Identifier.quoted(index.name, in: "main"))")
    }
    try connection.execute("DELETE FROM \(Identifier.quoted(join.name, in: "main"))")
    try connection.run(
      "DELETE FROM main.\(BuilderTables.progress) WHERE unit = ?1",
      [.text(Self.unit(of: join.name))])
  }

  private static func unit(of join: String) -> String { "kept \(join)" }
}

extension KeptTables {
  /// What stays of a source of which a store begins as a clone; nil when that store must begin
  /// empty.
  ///
  /// `copied` is what the source says of itself, where it was read already.
  static func ofClone(
    _ path: String, from source: StoreSchema, to target: StoreSchema, _ mapping: Mapping,
    _ ways: [String: CopyWay], walk: PageWalk?, copied: StoreMoment.Copied?
  ) throws -> KeptTables? {
    let kept = try of(path, copied) { schema, file, connection in
      try KeptTables(from: source, to: target, mapping, in: schema, file).obeying(ways)
        .counted(in: connection, source, walk)?.proved(in: connection, schema, for: target, walk)
    }
    return kept.obstacle == nil && !kept.isEmpty ? kept : nil
  }

  /// The tables of objects that move as a whole into a store that begins empty; tables of pairs do
  /// so with their links.
  static func moving(
    _ path: String, from source: StoreSchema, to target: StoreSchema, _ mapping: Mapping,
    _ ways: [String: CopyWay], walk: PageWalk?, copied: StoreMoment.Copied?
  ) throws -> KeptTables {
    try of(path, copied) { schema, file, connection in
      try KeptTables(from: source, to: target, mapping, in: schema, file).obeying(ways).ofObjects
        .counted(in: connection, source, walk)?.moved(in: schema, to: target)
    }
  }

  /// The same without tables whose objects were planned to travel otherwise.
  private func obeying(_ ways: [String: CopyWay]) -> KeptTables {
    keeping { table in table.entities.allSatisfy { ways[$0]?.isWholeTable ?? true } }
  }

  /// Asks `body`, and opens the source for it only where it has no answer without a connection.
  private static func of(
    _ path: String, _ copied: StoreMoment.Copied?,
    _ body: (Schema, DatabaseFile?, Connection?) throws -> KeptTables?
  ) throws -> KeptTables {
    do {
      if let copied, let kept = try body(copied.schema, copied.file, nil) { return kept }
      let connection = try Connection(path: path, mode: .foreign)
      defer { try? connection.close() }
      let kept = try connection.readingAtOnce {
        try body(Schema(of: connection), connection.file, connection)
      }
      guard let kept else {
        throw Failure.defect(
          "its tables have no answer", what: "cannot read the source", subject: path)
      }
      return kept
    } catch let error as SQLiteError {
      throw Failure(error, what: "cannot read the source", subject: path)
    }
  }
}
