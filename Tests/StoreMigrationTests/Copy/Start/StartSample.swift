import CoreDataStore
import Foundation
import SQLite
import StoreMigration
import TestSupport

/// A store with a table of objects that stays, one that changes, and a table of pairs.
enum StartSample {
  private static func entity(_ name: String, _ other: String, _ body: String) -> String {
    """
    <entity name="\(name)">\(body)
    <attribute name="name" optional="YES" attributeType="String"/>
    <relationship name="to\(other)" optional="YES" toMany="YES" destinationEntity="\(other)" \
    inverseName="to\(name)" inverseEntity="\(other)"/></entity>
    """
  }

  private static let old =
    "<attribute name=\"n\" optional=\"YES\" attributeType=\"Integer 16\"/>"
    + "<fetchIndex name=\"byN\"><fetchIndexElement property=\"n\" type=\"Binary\" "
    + "order=\"ascending\"/></fetchIndex>"
  private static let new =
    old + "<attribute name=\"more\" optional=\"YES\" attributeType=\"String\" "
    + "defaultValueString=\"x\"/>"

  /// A keeps its table, B gains an attribute unless it stays, too; the SQL is run on the source.
  ///
  /// In the SQL, TABLE_ stands for the table of pairs, ONE and TWO for its columns.
  static func sample(
    changing sql: String = "", bStays: Bool = false,
    _ instruct: (inout MappingInstructions) -> Void = { _ in }
  ) throws -> LinkSample {
    let a = entity("A", "B", "")
    return try LinkSample(
      a + entity("B", "A", old), a + entity("B", "A", bStays ? old : new), instruct
    ) { store, schema in
      for key in Int64(1)...4 {
        try LinkSample.insert(store, schema, "A", key, ["ZNAME": .text("a")])
        try LinkSample.insert(store, schema, "B", key, ["ZNAME": .text("b"), "ZN": .integer(key)])
      }
      for index in schema.indexes { try store.execute(index.sql) }
      guard let join = schema.joinTables.first else { return }
      let text = "INSERT INTO TABLE_ (ONE, TWO) VALUES (1, 2), (3, 1), (1, 1);" + sql
      try store.execute(
        text.replacing("TABLE_", with: join.name).replacing("ONE", with: join.first)
          .replacing("TWO", with: join.second))
    }
  }

  /// Gives an index of the source the entries of other rows, or of other columns, than its own.
  ///
  /// The rows begin with a key, which is followed by the values of the columns.
  static func plant(_ index: StoreIndex, rows: String, as list: String? = nil) throws {
    let source = try Connection(path: samplePath("source.sqlite"), mode: .own(create: false))
    let columns = index.parts.map(\.column).joined(separator: ", ")
    try source.execute(
      """
      DROP INDEX \(index.name); CREATE TABLE o (k INTEGER PRIMARY KEY, \(columns));
      INSERT INTO o (k, \(columns)) \(rows); CREATE INDEX \(index.name) ON o (\(list ?? columns))
      """)
    try source.transaction {
      try source.move([MovedIndex(name: index.name, table: index.table, sql: index.sql)])
    }
    try source.execute("DROP TABLE o")
    try source.close()
  }

  /// Removes the store that was made.
  static func removeNext() throws {
    try FileManager.default.removeItem(atPath: samplePath("next.sqlite"))
  }

  /// Puts a clone where the store is to be made, as a run leaves it that is killed then.
  static func copySourceToNext() throws {
    try FileManager.default.copyItem(
      atPath: samplePath("source.sqlite"), toPath: samplePath("next.sqlite"))
  }
}
