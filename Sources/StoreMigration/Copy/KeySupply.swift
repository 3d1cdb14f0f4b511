internal import CoreDataStore
internal import SQLite

/// Gives out new keys, Z_PK, in the tables of the target.
///
/// What was given out stands in the target's own Z_PRIMARYKEY, in the transaction that uses it.
struct KeySupply {
  private let builder: StoreBuilder
  private var connection: Connection { builder.connection }

  init(_ builder: StoreBuilder) { self.builder = builder }

  /// Notes, for each table, the highest key that the source has used there.
  ///
  /// In damaged stores Z_MAX is lower than keys that are in use, and old names may stand in the
  /// source's Z_PRIMARYKEY: its rows are found by number.
  func begin() throws {
    for table in builder.targetSchema.tables {
      guard let root = builder.targetSchema.entity(named: table.root) else { continue }
      var highest: Int64 = 0
      for source in sources(of: table) { highest = max(highest, try highestKey(in: source)) }
      try connection.run(
        "UPDATE main.Z_PRIMARYKEY SET Z_MAX = ?1 WHERE Z_ENT = ?2",
        [.integer(highest), .integer(Int64(root.number))])
    }
  }

  /// Takes the next `count` keys, none even; gives back the first.
  func take(_ count: Int, root: String) throws -> Int64 {
    let number = try builder.targetLayout(root).number
    return try builder.telling("cannot give out a key", "entity \(root)") {
      let highest =
        try connection.integer(
          "SELECT Z_MAX FROM main.Z_PRIMARYKEY WHERE Z_ENT = ?1", [.integer(Int64(number))]) ?? 0
      let (next, overflow) = highest.addingReportingOverflow(Int64(count))
      guard !overflow, highest < .max else {
        throw Failure(
          .unusable, what: "cannot give out a key", subject: "entity \(root)",
          why: "The highest key that there can be is in use.", remedy: Failure.restore)
      }
      try connection.run(
        "UPDATE main.Z_PRIMARYKEY SET Z_MAX = ?1 WHERE Z_ENT = ?2",
        [.integer(next), .integer(Int64(number))])
      return highest + 1
    }
  }

  /// The source's tables whose objects come here, and the one of the same root where a script
  /// decides about its objects: an entity that is new begins with 1, as in Core Data.
  ///
  /// Those whose objects get new keys count, too: a saved URI of one may lead nowhere, but never to
  /// another object of its entity.
  private func sources(of table: EntityTable) -> Set<String> {
    let schema = builder.sourceSchema
    let names = table.entities.flatMap(builder.mapping.objects(into:)).map(\.source)
    let scripted = table.entities.filter { builder.mapping.fate(of: $0) == .scripted }
    return Set((names + scripted).compactMap { schema.entity(named: $0)?.table })
  }

  private func highestKey(in table: String) throws -> Int64 {
    let schema = builder.sourceSchema
    let number = schema.table(named: table).flatMap { schema.entity(named: $0.root) }?.number ?? 0
    let used = try connection.integer(
      "SELECT max(Z_PK) FROM \(Identifier.quoted(table, in: "source"))")
    let given = try connection.integer(
      "SELECT Z_MAX FROM source.Z_PRIMARYKEY WHERE Z_ENT = ?1", [.integer(Int64(number))])
    return max(used ?? 0, given ?? 0)
  }
}
