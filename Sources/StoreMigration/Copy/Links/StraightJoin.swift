internal import SQLite

/// A table of pairs whose links come over as they are: both ends keep all their objects and keys,
/// and nothing else touches the relationship.
///
/// "The transfer optimization ... moves raw records and index entries from one table to another" of
/// the same columns in the same order, when all columns are asked for (SQLite, insert.c,
/// xferOptimization). Where they stand in another order each pair is written.
struct StraightJoin {
  private let builder: StoreBuilder
  private let straight: StraightColumns
  private var source: String { straight.sourceTable }
  private var target: String { straight.targetTable }
  private var columns: [(target: String, source: String)] { straight.columns }
  private var connection: Connection { builder.connection }

  /// The table of a gathering; nil when its links have to be looked at one by one.
  init?(_ builder: StoreBuilder, _ units: LinkUnits, _ gathering: LinkUnits.Gathering) throws {
    guard let straight = StraightColumns(builder, units, gathering) else { return nil }
    (self.builder, self.straight) = (builder, straight)
    guard try !isAssigned(gathering.link), try isWhole(straight.near), try isWhole(straight.far),
      try !hasHalves()
    else { return nil }
  }

  /// Whether a script has set the relationship for some object.
  private func isAssigned(_ link: LinkMapping) throws -> Bool {
    try [link.forward.target, link.backward.target].compactMap(\.self).contains { relationship in
      try connection.integer(
        "SELECT 1 FROM main.\(BuilderTables.assigned) WHERE relationship = ?1 LIMIT 1",
        [.text("\(relationship)")]) != nil
    }
  }

  /// Whether all objects in the table of an end are of its entities, and none was left out.
  private func isWhole(_ end: LinkEnd) throws -> Bool {
    let all = try count(end.sourceTable, "source", nil)
    let targets = end.members.compactMap(\.target)
    guard targets.count == end.members.count,
      try count(end.sourceTable, "source", end.members.map(\.source)) == all
    else { return false }
    return try !end.members.contains(where: \.mayBeLeftOut)
      || count(end.targetTable, "main", targets) == all
  }

  private func count(_ table: String, _ database: String, _ entities: [Int]?) throws -> Int64? {
    if database == "source", let known = known(table, entities) { return known }
    let filter = entities.map { " WHERE Z_ENT IN (\(LinkReading.list($0)))" } ?? ""
    return try connection.integer(
      "SELECT count(*) FROM \(Identifier.quoted(table, in: database))\(filter)")
  }

  /// The same by what is known of the source's pages.
  private func known(_ table: String, _ entities: [Int]?) -> Int64? {
    guard let rows = builder.sourceWalk?.rows(of: table) else { return nil }
    guard let entities else { return Int64(rows.count) }
    return rows.numbers.map { numbers in
      Set(entities).reduce(0) { $0 + Int64(numbers[Int64($1)] ?? 0) }
    }
  }

  /// Whether some pair has one key alone.
  private func hasHalves() throws -> Bool {
    try columns.prefix(2).contains { column in
      let name = Identifier.quoted(column.source)
      return try connection.integer(
        "SELECT 1 FROM \(Identifier.quoted(source, in: "source")) WHERE \(name) IS NULL LIMIT 1")
        != nil
    }
  }

  /// Copies the pairs, unless the store began with them; gives back how many the source has.
  func copy() throws -> Int {
    if try builder.isKept(target) { return Int(try count(source, "source", nil) ?? 0) }
    let (old, new) = (
      try connection.columns(of: source, in: "source").map(\.name),
      try connection.columns(of: target).map(\.name)
    )
    let isSame = new.map { name in columns.first { $0.target == name }?.source } == old
    let from = Identifier.quoted(source, in: "source")
    let into = Identifier.quoted(target, in: "main")
    if isSame {
      let count = try connection.run("INSERT OR IGNORE INTO \(into) SELECT * FROM \(from)", [])
      if try isIndexRight() { return count }
      // The records of the source's own index came along as they are.
      try connection.execute("DELETE FROM \(into)")
      return try connection.run(
        "INSERT OR IGNORE INTO \(into) SELECT * FROM \(from) NOT INDEXED ORDER BY 1, 2", [])
    }
    let names = columns.map { Identifier.quoted($0.target) }.joined(separator: ", ")
    let values = columns.map { Identifier.quoted($0.source) }.joined(separator: ", ")
    return try connection.run(
      "INSERT OR IGNORE INTO \(into) (\(names)) SELECT \(values) FROM \(from) ORDER BY 1, 2", [])
  }

  /// Whether the indexes that came over with the pairs hold what the table holds.
  private func isIndexRight() throws -> Bool {
    let names = Set(try connection.indexes(of: target).map(\.name))
    return try IndexProof(connection).right(of: target, holding: target) == names
  }
}
