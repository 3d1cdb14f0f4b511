internal import CoreDataStore
internal import SQLite

/// The indexes of a clone that stay although their tables are rebuilt.
///
/// To sort the entries of an index costs more than to copy the rows that it is of. But it is a tree
/// of its own, of values and keys; where both stay, so may the index. While its table is rebuilt it
/// belongs to an empty one, so that nothing is put into it, and goes back at the end, when it is
/// proved that it holds the rows of the new table; else it is rebuilt like any other.
struct KeptIndexes {
  /// What the names of the empty tables begin with.
  static let prefix = "pipeline_indexed_"

  private let builder: StoreBuilder
  private var connection: Connection { builder.connection }
  private var schema: StoreSchema { builder.targetSchema }

  init(_ builder: StoreBuilder) { self.builder = builder }

  /// The indexes that both versions have of columns that every row takes along as they are, and
  /// that the clone has, too, word for word.
  static func candidates(_ pair: some StorePair, in clone: Schema) throws -> [StoreIndex] {
    var found: [StoreIndex] = []
    for table in pair.sourceSchema.tables where clone.has(table.name, table.sql) {
      guard let target = pair.targetSchema.table(named: table.name) else { continue }
      let carried = try carriedColumns(of: table, to: target, pair)
      let wanted = Set(pair.targetSchema.indexes(of: table.name))
      found += pair.sourceSchema.indexes(of: table.name).filter { index in
        index.condition == nil && index.parts.allSatisfy { carried.contains($0.column) }
          && wanted.contains(index) && clone.has(index)
      }
    }
    return found
  }

  private static func carriedColumns(
    of table: EntityTable, to target: EntityTable, _ pair: some StorePair
  ) throws -> Set<String> {
    let types = Dictionary(target.columns.map { ($0.name, $0.type) }) { first, _ in first }
    var carried = Set(table.columns.filter { types[$0.name] == $0.type }.map(\.name))
    for name in table.entities {
      guard let object = pair.mapping.objects(from: name), object.keys == .kept else { return [] }
      if object.isAbstract { continue }
      let row = try RowExpressions(pair, object)
      guard row.target.table == target.name, row.conditions == nil else { return [] }
      let straight = row.columns.filter { $0.change == nil && $0.isSame }
      carried.formIntersection(straight.map(\.column))
    }
    return carried
  }
}

extension RowExpressions.Column {
  /// Whether it is what the source has in the column of the same name.
  fileprivate var isSame: Bool { ["s.\(column)", "s.\(Identifier.quoted(column))"].contains(sql) }
}

extension Schema {
  /// Whether a table has this very index.
  fileprivate func has(_ index: StoreIndex) -> Bool {
    indexes(of: index.table).contains { object in
      object.name == index.name && object.sql.map { Text($0) } == Text(index.sql)
    }
  }
}

// The two moves.
extension KeptIndexes {
  /// Gives the indexes of each table to an empty one of their own, in the caller's transaction.
  ///
  /// Its columns are declared as they were: SQLite reads a whole number of a FLOAT column as the
  /// real number that it is because of that.
  static func setAside(
    _ indexes: [StoreIndex], _ clone: Schema, _ connection: Connection
  ) throws(SQLiteError) {
    for (name, indexes) in Dictionary(grouping: indexes, by: \.table) {
      guard let table = clone.table(name) else { continue }
      let names = Set(indexes.flatMap(\.parts).map(\.column))
      let columns = try connection.columns(of: table, in: clone).filter { names.contains($0.name) }
      let list = columns.map { "\(Identifier.quoted($0.name)) \($0.type)" }
      try connection.execute(
        "CREATE TABLE main.\(prefix + name) (\(list.joined(separator: ", ")))")
    }
    try connection.move(
      indexes.map { index in
        let place = prefix + index.table
        return MovedIndex(name: index.name, table: place, sql: index.sql(on: place))
      })
  }

  private static func places(_ schema: Schema) -> [SchemaObject] {
    schema.objects(of: .table).filter { $0.name.hasPrefix(prefix) }
  }

  private static func table(of place: SchemaObject) -> String {
    String(place.name.dropFirst(prefix.count))
  }

  /// The names of those that hold the rows of their tables, as far as one pass over the pages
  /// shows; before the transaction that gives them back.
  func proved() throws(SQLiteError) -> Set<String> {
    let places = try Self.places(Schema(of: connection))
    guard !places.isEmpty else { return [] }
    return try builder.prove(
      Dictionary(places.map { ($0.name, Self.table(of: $0)) }) { first, _ in first })
  }

  /// Gives them back to tables whose rows they hold, and drops the others, in the caller's
  /// transaction.
  ///
  /// - Parameter known: The names of those that are proved already.
  /// - Returns: Those that do not even hold the rows of the source, where none was left out.
  /// - Throws: ``SQLiteError`` when a tree cannot be read, or the schema not be written.
  func giveBack(_ known: Set<String> = []) throws(SQLiteError) -> [String] {
    let found = try Schema(of: connection)
    let places = Self.places(found)
    guard !places.isEmpty else { return [] }
    let proof = try IndexProof(connection)
    var damaged: [String] = []
    var right: Set<String> = []
    for place in places {
      let table = Self.table(of: place)
      let names = Set(found.indexes(of: place.name).map(\.name))
      let rest = names.subtracting(known)
      right.formUnion(names.intersection(known))
      if !rest.isEmpty {
        right.formUnion(try proof.right(of: place.name, named: rest, holding: table))
      }
      let wrong = names.subtracting(right)
      guard !wrong.isEmpty else { continue }
      let wereRight = try proof.right(of: place.name, named: wrong, holding: table, in: "source")
      damaged += wrong.subtracting(wereRight).sorted()
    }
    let moved = schema.indexes.filter { right.contains($0.name) }
    try connection.move(moved.map { MovedIndex(name: $0.name, table: $0.table, sql: $0.sql) })
    for place in places { try connection.execute("DROP TABLE main.\(place.name)") }
    return damaged
  }
}
