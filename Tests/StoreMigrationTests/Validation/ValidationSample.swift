import CoreDataStore
import Foundation
import SQLite
import StoreTestSupport
import TestSupport

private typealias M = SchemaModels

/// A small model with a rule of each kind, and stores of it that obey all of them.
enum ValidationSample {
  private static func mandatory(_ name: String, _ type: String, _ more: String = "") -> String {
    "<attribute name=\"\(name)\" attributeType=\"\(type)\" \(more)/>"
  }

  private static func relationship(
    _ name: String, _ destination: String, inverse: String, _ more: String
  ) -> String {
    """
    <relationship name="\(name)" deletionRule="Nullify" destinationEntity="\(destination)" \
    inverseName="\(inverse)" inverseEntity="\(destination)" \(more)/>
    """
  }

  private static let folder = M.entity(
    "Folder", mandatory("name", "String"),
    relationship(
      "notes", "Note", inverse: "folder", "toMany=\"YES\" minCount=\"1\" maxCount=\"3\""),
    M.toOne("cover", "Note", inverse: "covers"), M.unique("name"))

  /// The body of a note's entity, with more in it.
  static func note(_ more: String...) -> String {
    M.entity(
      "Note", mandatory("title", "String", "minValueString=\"2\" maxValueString=\"5\""),
      M.attribute("code", "String", "regularExpressionString=\"[A-Z]+|[A-Z]+-[0-9]\""),
      M.attribute("rank", "Integer 16", "minValueString=\"1\" maxValueString=\"9\""),
      M.attribute("price", "Decimal", "maxValueString=\"9.5\""),
      M.attribute("made", "Date", "minDateTimeInterval=\"100\""),
      relationship("folder", "Folder", inverse: "notes", "maxCount=\"1\""),
      M.toOne("covers", "Folder", inverse: "cover"),
      M.toOne("thing", "Thing", inverse: "notes"), M.toMany("tags", "Tag", inverse: "notes"),
      more.joined())
  }

  private static let others =
    M.entity("Tag", M.toMany("notes", "Note", inverse: "tags"), M.toMany("free", "Loose"))
    + M.entity("Loose", M.attribute("name"))
    + M.entity("Thing", abstract: true, M.toMany("notes", "Note", inverse: "thing"))
    + M.entity("Pen", parent: "Thing") + M.entity("Ink", parent: "Thing")

  /// The schema; `note` is the entity of that name.
  static func schema(note: String = note(), _ more: String = "") throws -> StoreSchema {
    try StoreSchema(of: ModelText.model(folder + note + others + more))
  }

  // Numbers: Folder 1, Loose 2, Note 3, Tag 4, Thing 5, Ink 6, Pen 7.
  static let rows = """
    INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZNAME, ZCOVER) VALUES (1, 1, 1, 'Home', 1),
      (2, 1, 1, 'Work', NULL);
    INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZCODE, ZRANK, ZPRICE, ZMADE, ZFOLDER, ZCOVERS,
      ZTHING, Z5_THING)
    VALUES (1, 3, 1, 'Milk', 'AB-1', 1, 9.5, 100, 1, 1, 1, 7),
      (2, 3, 1, 'Bread', 'A', 9, 1, NULL, 1, NULL, NULL, NULL),
      (3, 3, 1, 'Ab', NULL, NULL, NULL, NULL, 2, NULL, 2, 6);
    INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 4, 1);
    INSERT INTO ZLOOSE (Z_PK, Z_ENT, Z_OPT, Z4FREE) VALUES (1, 2, 1, 1);
    INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT) VALUES (1, 7, 1), (2, 6, 1);
    INSERT INTO Z_3TAGS (Z_3NOTES, Z_4TAGS) VALUES (1, 1), (2, 1);
    UPDATE Z_PRIMARYKEY SET Z_MAX = CASE Z_NAME WHEN 'Folder' THEN 2 WHEN 'Note' THEN 3
      WHEN 'Thing' THEN 2 WHEN 'Ink' THEN 0 WHEN 'Pen' THEN 0 ELSE 1 END;
    """

  /// A new store with rows that obey all rules, and what the SQL does to them.
  static func store(schema: StoreSchema, _ sql: String = "") throws -> String {
    let path = samplePath("\(UUID().uuidString).sqlite")
    let store = try NewStore(at: path, schema: schema, durability: .off)
    try store.make(.tables)
    try store.connection.execute(rows + sql)
    try store.close()
    return path
  }
}
