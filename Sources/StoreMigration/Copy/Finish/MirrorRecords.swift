internal import CoreDataStore
internal import SQLite

/// The records of a mirror that find their object, in a source and in the store made from it.
///
/// Only entities that have records in one of the two stores are looked at.
struct MirrorRecords {
  /// An entity of the source, and what it is in the new store.
  typealias Pair = (old: EntityLayout, new: EntityLayout)

  /// The columns by which a record knows its object.
  static let (entity, key) = ("ZENTITYID", "ZENTITYPK")

  private let connection: Connection
  private let pairs: [Pair]
  /// Whether the new store has records as well; an application may have removed their table.
  private let hasNew: Bool

  /// The records of both stores; nil where the source has none.
  init?(_ connection: Connection, of stores: some StorePair) throws {
    guard try Self.has(connection, "source") else { return nil }
    self.connection = connection
    hasNew = try Self.has(connection, "main")
    pairs = Self.pairs(of: stores)
  }

  /// The entities that have objects, before and now.
  static func pairs(of stores: some StorePair) -> [Pair] {
    stores.mapping.objects.filter { !$0.isAbstract }.compactMap { objects in
      guard let old = stores.sourceSchema.entity(named: objects.source),
        let new = stores.targetSchema.entity(named: objects.target)
      else { return nil }
      return (old, new)
    }
  }

  /// Whether a table with these columns refers to objects.
  static func refersToObjects(_ columns: [String]) -> Bool {
    columns.contains(entity) && columns.contains(key)
  }

  private static func has(_ connection: Connection, _ store: String) throws -> Bool {
    guard try Schema(of: connection, store).table(MirrorTables.records) != nil else { return false }
    return refersToObjects(
      try connection.columns(of: MirrorTables.records, in: store).map(\.name))
  }
}

// What differs between the two stores.
extension MirrorRecords {
  /// The first entity of which more or fewer records find their object than before.
  func firstChange() throws -> (pair: Pair, before: Int64, after: Int64)? {
    for pair in try recorded() {
      let before = try connection.integer("SELECT count(*) FROM (\(found(pair.old, "source")))")
      let after = try connection.integer("SELECT count(*) FROM (\(found(pair.new, "main")))")
      if before != after { return (pair, before ?? 0, after ?? 0) }
    }
    return nil
  }

  /// Calls `body` with each object of the new store that has lost its record.
  ///
  /// Objects that have got a record are among them unless an application may have written to the
  /// store.
  func forEachChange(
    mayBeSaved: Bool, _ body: (_ entity: EntityLayout, _ key: Int64) throws -> Void
  ) throws {
    for (old, new) in try recorded() {
      let (before, after) = (found(old, "source"), found(new, "main"))
      let lost = """
        SELECT k FROM (\(before) EXCEPT \(after)) WHERE k IN (
          SELECT Z_PK FROM main.\(Identifier.quoted(new.table)) WHERE Z_ENT = \(new.number))
        """
      let gained = "SELECT k FROM (\(after) EXCEPT \(before))"
      try connection.query(mayBeSaved ? lost : "\(lost) UNION ALL \(gained)") { row in
        try body(new, row.integer(0) ?? 0)
      }
    }
  }

  /// The pairs that have records in one of the stores.
  private func recorded() throws -> [Pair] {
    let before = try numbers(pairs.map(\.old), "source")
    let after = hasNew ? try numbers(pairs.map(\.new), "main") : []
    return pairs.filter {
      before.contains(Int64($0.old.number)) || after.contains(Int64($0.new.number))
    }
  }

  private func numbers(_ entities: [EntityLayout], _ store: String) throws -> Set<Int64> {
    let list = entities.map { "\($0.number)" }.joined(separator: ", ")
    let rows = try connection.rows(
      """
      SELECT DISTINCT \(Self.entity) FROM \(store).\(MirrorTables.records)
      WHERE \(Self.entity) IN (\(list))
      """)
    return Set(rows.compactMap { $0.first?.integer })
  }

  /// A query for the keys of the objects that records find in one of the stores.
  private func found(_ entity: EntityLayout, _ store: String) -> String {
    guard hasNew || store == "source" else { return "SELECT NULL AS k WHERE 0" }
    return """
      SELECT t.Z_PK AS k FROM \(store).\(MirrorTables.records) AS r
      JOIN \(store).\(Identifier.quoted(entity.table)) AS t ON t.Z_PK = r.\(Self.key)
      WHERE r.\(Self.entity) = \(entity.number) AND t.Z_ENT = \(entity.number)
      """
  }
}
