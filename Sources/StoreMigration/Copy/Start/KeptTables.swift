package import CoreDataStore
package import SQLite

/// The tables of a source that the new store has as they are, byte for byte.
///
/// They need no work where that store begins as a clone of the source, and can be moved as a whole
/// where it begins empty. A table stays when its statement is, word for word, the one of the new
/// schema, and copying would change no value of it: column order, the numbers of the whole family,
/// keys, names, links.
package struct KeptTables: Sendable {
  package private(set) var objects: [EntityTable] = []
  package private(set) var joins: [JoinTable] = []
  /// Why no store can begin as a clone of this source; nil when one can.
  package let obstacle: String?

  /// How many objects of each entity are in the tables of objects; nil until they were counted.
  private(set) var counts: [String: Int] = [:]

  /// The indexes of these tables that stay with them, because they are proved right.
  private(set) var indexes: Set<String> = []
  /// The indexes of these tables, and of others that would be among them, that are not right.
  private(set) var damagedIndexes: [String] = []

  /// The tables of a source that is the main file of a connection.
  package init(
    from source: StoreSchema, to target: StoreSchema, _ mapping: Mapping,
    in connection: Connection
  ) throws {
    try self.init(
      from: source, to: target, mapping, in: Schema(of: connection), connection.file)
  }

  /// The same of a source of which this is known.
  init(
    from source: StoreSchema, to target: StoreSchema, _ mapping: Mapping, in schema: Schema,
    _ file: DatabaseFile?
  ) throws {
    let pair = MappedSource(sourceSchema: source, targetSchema: target, mapping: mapping)
    obstacle = Self.obstacle(file, schema)
    objects = try Self.objects(pair, schema)
    joins = Self.joins(pair, schema)
  }

  /// The names of the tables that can stay, where the source is another database of a connection.
  static func names(
    _ pair: some StorePair, in connection: Connection, as schema: String
  ) throws -> Set<String> {
    let mapped = MappedSource(
      sourceSchema: pair.sourceSchema, targetSchema: pair.targetSchema, mapping: pair.mapping)
    let found = try Schema(of: connection, schema)
    return Set(try objects(mapped, found).map(\.name) + joins(mapped, found).map(\.name))
  }

  private static func objects(_ pair: MappedSource, _ schema: Schema) throws -> [EntityTable] {
    try pair.sourceSchema.tables.filter { try stays($0, pair, schema) }
  }

  private static func joins(_ pair: MappedSource, _ schema: Schema) -> [JoinTable] {
    // A script that makes objects may link those of any entity.
    guard !pair.mapping.entities.contains(where: { $0.fate == .scripted }) else { return [] }
    let units = LinkUnits(pair)
    return units.all.compactMap { join(of: $0, units, pair, schema) }
  }

  package var names: Set<String> { Set(objects.map(\.name) + joins.map(\.name)) }

  /// The same without tables of pairs.
  var ofObjects: KeptTables {
    var kept = self
    kept.joins = []
    return kept
  }

  /// The same with some of the tables of objects.
  func keeping(_ isKept: (EntityTable) -> Bool) -> KeptTables {
    var kept = self
    kept.objects = objects.filter(isKept)
    return kept
  }

  /// Whether there are none.
  package var isEmpty: Bool { objects.isEmpty && joins.isEmpty }
}

// What a clone would carry along.
extension KeptTables {
  private static func obstacle(_ file: DatabaseFile?, _ schema: Schema) -> String? {
    // A virtual table's module would run to remove it, and nothing removes this one: "the
    // sqlite_sequence table ... cannot be dropped" (SQLite, Autoincrement).
    if !schema.objects(of: .virtualTable).isEmpty { return "it has virtual tables" }
    if schema.table("sqlite_sequence") != nil { return "it has a table that cannot be removed" }
    let ours =
      BuilderTables.all.contains { schema.table($0) != nil }
      || schema.objects(of: .table).contains { $0.name.hasPrefix(KeptIndexes.prefix) }
    if ours { return "it has tables of a store that was being built" }
    return file?.header.isUsual == false
      ? "its pages are not laid out like those of a new store" : nil
  }
}

// Tables of objects.
extension KeptTables {
  private static func stays(
    _ table: EntityTable, _ pair: MappedSource, _ schema: Schema
  ) throws -> Bool {
    let mapping = pair.mapping
    guard let target = pair.targetSchema.table(named: table.name),
      schema.has(table.name, target.sql)
    else { return false }
    let members = Set(table.entities)
    let isWhole = table.entities.allSatisfy { name in
      mapping.objects(from: name)?.tableIsSame == true && mapping.fate(of: name) != .scripted
    }
    let others = target.entities.flatMap(mapping.objects(into:)).contains {
      !members.contains($0.source)
    }
    return try isWhole && !others && isCarried(table, pair)
  }

  /// Whether a row that is copied takes all columns along.
  private static func isCarried(_ table: EntityTable, _ pair: MappedSource) throws -> Bool {
    var carried: Set<String> = ["Z_PK"]
    for name in table.entities {
      guard let object = pair.mapping.objects(from: name), !object.isAbstract else { continue }
      let row = try RowExpressions(pair, object)
      guard !row.needsRows, row.conditions == nil else { return false }
      carried.formUnion(row.columns.map(\.column))
    }
    return table.columns.allSatisfy { carried.contains($0.name) }
  }

  /// Those in which every row is an object of the table's entities: copying leaves others behind.
  ///
  /// `walk` is what is known of the same pages. Nil where that does not suffice, and no connection
  /// is given to count them.
  func counted(
    in connection: Connection?, _ source: StoreSchema, _ walk: PageWalk?
  ) throws(SQLiteError) -> KeptTables? {
    var kept = self
    kept.objects = []
    for table in objects {
      let rows = walk?.rows(of: table.name)
      var counts: [String: Int] = [:]
      for name in table.entities {
        guard let number = source.entity(named: name)?.number else { continue }
        if let numbers = rows?.numbers {
          counts[name] = numbers[Int64(number)] ?? 0
        } else {
          guard let connection else { return nil }
          counts[name] = try Self.count(table.name, " WHERE Z_ENT = \(number)", connection)
        }
      }
      let all: Int
      if let rows {
        all = rows.count
      } else {
        guard let connection else { return nil }
        all = try Self.count(table.name, "", connection)
      }
      guard all == counts.values.reduce(0, +) else { continue }
      kept.objects.append(table)
      kept.counts.merge(counts) { first, _ in first }
    }
    return kept
  }

  private static func count(
    _ table: String, _ condition: String, _ connection: Connection
  ) throws(SQLiteError) -> Int {
    let sql = "SELECT count(*) FROM \(Identifier.quoted(table, in: "main"))\(condition)"
    return Int(try connection.integer(sql) ?? 0)
  }
}

// Indexes, which a clone takes along as they are; SQLite's quick check does not compare them with
// their tables.
extension KeptTables {
  /// Those of which all is known: a table whose own index is wrong does not stay, since it cannot
  /// be taken out of it.
  ///
  /// What `walk` has proved of the same pages needs no proof of its own. Nil where the rest needs a
  /// connection, and none is given.
  func proved(
    in connection: Connection?, _ schema: Schema, for target: StoreSchema, _ walk: PageWalk?
  ) throws(SQLiteError) -> KeptTables? {
    var kept = self
    let known = walk?.rightIndexes ?? []
    let words = Self.words(of: target)
    for name in names.sorted() {
      let wanted = Self.wanted(name, schema, words)
      let names = Set(wanted.map(\.name))
      let rest = names.subtracting(known)
      var right = names.intersection(known)
      if !rest.isEmpty {
        guard let connection else { return nil }
        let proof = try IndexProof(connection)
        right.formUnion(try proof.right(of: name, named: rest, holding: name))
      }
      kept.indexes.formUnion(wanted.filter { $0.sql != nil }.map(\.name).filter(right.contains))
      let wrong = wanted.filter { !right.contains($0.name) && words[$0.name]?.condition == nil }
      kept.damagedIndexes += wrong.map(\.name)
      // The key of objects is the rowid: only tables of pairs have an index of their own.
      if wrong.contains(where: { $0.sql == nil }) { kept.joins.removeAll { $0.name == name } }
    }
    return kept
  }

  /// Those that can be moved with their tables, to be proved then.
  func moved(in schema: Schema, to target: StoreSchema) -> KeptTables {
    var kept = self
    let words = Self.words(of: target)
    for name in names {
      kept.indexes.formUnion(
        Self.wanted(name, schema, words).filter { $0.sql != nil }.map(\.name))
    }
    return kept
  }

  private static func words(of target: StoreSchema) -> [String: StoreIndex] {
    Dictionary(target.indexes.map { ($0.name, $0) }) { first, _ in first }
  }

  /// The indexes of a table that the new schema has word for word, and those of its key.
  private static func wanted(
    _ table: String, _ schema: Schema, _ words: [String: StoreIndex]
  ) -> [SchemaObject] {
    schema.indexes(of: table).filter { index in
      index.sql.map { sql in words[index.name].map { Text($0.sql) == Text(sql) } ?? false } ?? true
    }
  }
}

// Tables of pairs.
extension KeptTables {
  private static func join(
    of unit: LinkUnits.Unit, _ units: LinkUnits, _ pair: MappedSource, _ schema: Schema
  ) -> JoinTable? {
    let gatherings = units.gatherings(unit)
    guard gatherings.count == 1,
      let columns = StraightColumns(pair, units, gatherings[0]), columns.isSame,
      let table = pair.targetSchema.joinTable(named: columns.targetTable),
      schema.has(table.name, table.sql)
    else { return nil }
    return table
  }
}

extension Schema {
  /// Whether an ordinary table was made by this very statement.
  func has(_ name: String, _ sql: String) -> Bool {
    table(name)?.sql.map { Text($0) == Text(sql) } ?? false
  }
}

extension Store {
  /// The tables that stay as they are in a store made from this one.
  package func keptTables(
    of source: StoreSchema, _ target: StoreSchema, _ mapping: Mapping
  ) throws -> KeptTables {
    try reading("cannot look at the store") {
      try KeptTables(from: source, to: target, mapping, in: connection)
    }
  }
}
