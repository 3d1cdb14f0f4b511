package import CoreDataStore
import Formats
package import Foundation

/// The models of samples/Notes, and a small store of their first version.
package enum NotesSample {
  /// The models, as they lie in the project.
  package static let models = file("samples/Notes/Notes.xcdatamodeld")

  /// A file of the project.
  private static func file(_ path: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../\(path)")
      .standardizedFileURL
  }

  /// One version of the models.
  package static func model(_ version: String) throws -> Model {
    try ModelFile(models.path).model(named: version)
  }

  /// Puts the models, the store `Notes.sqlite`, the pipeline file that migrates it and its script
  /// into a folder.
  ///
  /// The store gets what the SQL adds, too.
  package static func lay(in folder: URL, adding sql: String = "") throws {
    try FileManager.default.copyItem(
      at: models, to: folder.appending(path: models.lastPathComponent))
    let script = file("scripts/notes_priority.lua")
    try FileManager.default.copyItem(
      at: script, to: folder.appending(path: script.lastPathComponent))
    // In the project the three lie in folders of their own.
    let pipeline = try String(contentsOf: file("pipelines/notes.pipeline"), encoding: .utf8)
      .replacing("../samples/Notes/", with: "").replacing("../scripts/", with: "")
    try pipeline.write(
      to: folder.appending(path: "notes.pipeline"), atomically: true, encoding: .utf8)
    try makeStore(at: folder.appending(path: "Notes.sqlite").path, adding: sql)
  }

  /// Makes a store of the second version with one attachment, whose value is in the column as is.
  package static func makeStore(at path: String, attachment: [UInt8]) throws {
    let bytes = attachment.map { String($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    try SampleStore.make(
      of: try model("Notes 2"), at: path,
      adding: """
        INSERT INTO ZATTACHMENT (Z_PK, Z_ENT, Z_OPT, ZDATA, ZFILENAME)
        VALUES (1, 1, 1, x'\(bytes)', 'a');
        UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Attachment';
        """)
  }

  private static func makeStore(at path: String, adding sql: String) throws {
    let contents = NewStoreContents(
      uuid: "3E0B6C1A-5C0F-4B57-9A53-0F4F7C1C9A11",
      metadata: ["lastOpenedBy": .string("somebody"), "launches": .integer(7)])
    try SampleStore.make(
      of: try model("Notes"), at: path, contents: contents, adding: rows + sql)
  }

  private static let rows = """
    INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'Home'), (2, 1, 1, 'Work');
    INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZTEXT, ZPRIORITY, ZDONE, ZCREATED, ZFOLDER)
    VALUES (1, 2, 1, 'Milk', 'two litres', 'high', 0, 700000000, 1),
      (2, 2, 1, 'Bread', NULL, NULL, 1, 700000060, 1),
      (3, 2, 3, 'Report', 'by Friday', 'low', 0, 700000120.5, 2);
    INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 3, 1, 'shop');
    INSERT INTO Z_2TAGS (Z_2NOTES, Z_3TAGS) VALUES (1, 1), (2, 1);
    UPDATE Z_PRIMARYKEY SET Z_MAX = CASE Z_NAME WHEN 'Folder' THEN 2 WHEN 'Note' THEN 3 ELSE 1 END;
    """
}
