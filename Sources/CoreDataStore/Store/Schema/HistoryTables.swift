/// The tables in which Core Data keeps the history of changes, as seen in framework 1344.
package struct HistoryTables: Sendable {
  /// The numbers and names that the tables have in Z_PRIMARYKEY.
  package static let entities = [
    (number: 16001, name: "CHANGE"), (number: 16002, name: "TRANSACTION"),
    (number: 16003, name: "TRANSACTIONSTRING"),
  ]

  /// How many columns for values of deleted objects the table of changes has.
  package let tombstones: Int

  /// The tables for a model: as many slots as the entity that leaves most behind needs.
  package init(for model: Model) {
    tombstones = model.entities.map { Self.tombstones(of: $0, in: model).count }.max() ?? 0
  }

  /// The attributes whose values a deleted object leaves behind, in the order of the slots.
  ///
  /// "Names in the entity's user info, then attributes with preserve-after-deletion, inherited
  /// first, by name, then the same for each ancestor, duplicates dropped."
  package static func tombstones(of entity: Entity, in model: Model) -> [String] {
    var seen: Set<String> = []
    return model.lineage(of: entity).flatMap { ancestor in
      let listed = (ancestor.userInfo[tombstoneKey] ?? "").split { $0 == "," || $0 == " " }
      let kept = model.lineage(of: ancestor).reversed().flatMap(\.attributes).filter {
        $0.isPreservedAfterDeletion && !$0.isTransient
      }
      return listed.map(String.init) + kept.map(\.name)
    }.filter { seen.insert($0).inserted }
  }

  private static let tombstoneKey = "NSPersistentHistoryTombstoneAttributes"

  /// The author of the transaction by which a migration marks the history, as Core Data writes it:
  /// what indexes a store for search reads it again then.
  package static let migrator = "com.apple.coredata.schemamigrator"

  /// The statements that make the tables.
  package var tables: [String] {
    let slots = (0..<tombstones).map { ", ZTOMBSTONE\($0) BLOB" }.joined()
    return [
      "CREATE TABLE ACHANGE ( \(Self.fixed), ZCHANGETYPE INTEGER, ZENTITY INTEGER, "
        + "ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB\(slots) )",
      "CREATE TABLE ATRANSACTION ( \(Self.fixed), ZAUTHORTS INTEGER, ZBUNDLEIDTS INTEGER, "
        + "ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, "
        + "ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB )",
      "CREATE TABLE ATRANSACTIONSTRING ( \(Self.fixed), ZNAME VARCHAR )",
    ]
  }

  private static let fixed = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"

  /// The statements that make the indexes.
  package var indexes: [String] {
    [Self.index(of: "ACHANGE", "ZTRANSACTIONID")]
      + ["ZAUTHORTS", "ZBUNDLEIDTS", "ZCONTEXTNAMETS", "ZPROCESSIDTS"].map {
        Self.index(of: "ATRANSACTION", $0)
      } + [
        "CREATE INDEX Z_TRANSACTION_TransactionAuthorIndex "
          + "ON ATRANSACTION (ZAUTHOR COLLATE BINARY ASC)",
        "CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex "
          + "ON ATRANSACTION (ZTIMESTAMP COLLATE BINARY ASC)",
        "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME "
          + "ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC)",
      ]
  }

  private static func index(of table: String, _ column: String) -> String {
    "CREATE INDEX \(table)_\(column)_INDEX ON \(table) (\(column))"
  }
}
