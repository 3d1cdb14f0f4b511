/// The tables in which Core Data keeps the history of changes, as seen in framework 1344.
package struct HistoryTables: Sendable {
  /// The numbers and names that the tables have in Z_PRIMARYKEY.
  package static let entities = [
    (number: 16001, name: "CHANGE"), (number: 16002, name: "TRANSACTION"),
    (number: 16003, name: "TRANSACTIONSTRING"),
  ]

  /// How many columns for values of deleted objects the table of changes has.
  package let tombstones: Int

  /// The tables for a model.
  ///
  /// A deleted object leaves behind the attributes that are preserved after deletion, so there are
  /// as many slots as the entity with the most of them needs. That Core Data counts them so is
  /// likely; no store with such attributes and a history was seen.
  package init(for model: Model) {
    tombstones =
      model.entities.map { entity in
        model.allAttributes(of: entity).count { $0.isPreservedAfterDeletion && !$0.isTransient }
      }.max() ?? 0
  }

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
