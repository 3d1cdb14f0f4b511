import CoreDataStore
import Foundation
import SQLite

/// A store of the first version of the model, made by SQL alone: the same each time, but for the
/// pictures.
struct ThingsStore {
  /// How many items; a hundredth as many boxes, and fifty labels.
  let items: Int
  /// How long each item's picture is; 0 for none.
  let pictureBytes: Int

  /// Makes `Things.sqlite`.
  func make(in folder: URL) throws {
    let models = try ModelFile(folder.appending(path: ThingsModel.folder).path)
    let store = try NewStore(
      at: folder.appending(path: "Things.sqlite").path,
      schema: try StoreSchema(of: try models.model(named: "Things")))
    try store.make(.tables)
    try store.connection.transaction { try store.connection.execute(rows) }
    try store.make(.indexes)
    try store.close()
  }

  private var boxes: Int { items / 100 + 1 }

  private var rows: String {
    let picture = pictureBytes > 0 ? "randomblob(\(pictureBytes))" : "NULL"
    return """
      \(Self.count(boxes)) INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZNAME)
        SELECT n, 1, 1, 'Box ' || n FROM numbers;
      \(Self.count(50)) INSERT INTO ZLABEL (Z_PK, Z_ENT, Z_OPT, ZNAME)
        SELECT n, 3, 1, 'Label ' || n FROM numbers;
      \(Self.count(items)) INSERT INTO ZITEM
        (Z_PK, Z_ENT, Z_OPT, ZNAME, ZNOTE, ZCENTS, ZCREATED, ZPICTURE, ZBOX)
        SELECT n, 2, 1, 'Thing number ' || n, 'what is to be said of thing ' || n, n % 100000,
          700000000.5 + n, \(picture), n % \(boxes) + 1 FROM numbers;
      \(Self.count(items)) INSERT INTO Z_2LABELS (Z_2ITEMS, Z_3LABELS)
        SELECT n, n % 50 + 1 FROM numbers;
      UPDATE Z_PRIMARYKEY SET Z_MAX =
        CASE Z_NAME WHEN 'Box' THEN \(boxes) WHEN 'Item' THEN \(items) ELSE 50 END;
      """
  }

  /// The numbers from 1 on, as a table.
  private static func count(_ end: Int) -> String {
    """
    WITH RECURSIVE numbers(n) AS
      (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(end))
    """
  }
}
