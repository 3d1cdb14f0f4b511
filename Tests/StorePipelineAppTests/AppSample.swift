import CoreDataStore
import Foundation
import StorePipelineApp
import StoreTestSupport
import TestSupport
import Testing

/// An app's folder of resources and its store, in the folder of a test.
struct AppSample {
  /// The app's store.
  let store: URL
  /// What the app's bundle would have.
  let resources: URL

  /// Lays the Notes sample out as an app has it, with so many notes more in the store.
  init(notes: Int = 0) throws {
    resources = TemporaryFolder.url.appending(path: "Resources")
    try FileManager.default.createDirectory(at: resources, withIntermediateDirectories: true)
    let more = """
      WITH RECURSIVE n(i) AS (SELECT 4 UNION ALL SELECT i + 1 FROM n WHERE i < \(3 + notes))
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZTEXT, ZPRIORITY, ZDONE, ZCREATED, ZFOLDER)
      SELECT i, 2, 1, 'Note ' || i, hex(zeroblob(200)), 'low', 0, 700000000 + i, 1 FROM n;
      UPDATE Z_PRIMARYKEY SET Z_MAX = \(3 + notes) WHERE Z_NAME = 'Note';
      """
    try NotesSample.lay(in: resources, adding: notes > 0 ? more : "")
    store = TemporaryFolder.url.appending(path: "App.sqlite")
    try FileManager.default.moveItem(at: resources.appending(path: "Notes.sqlite"), to: store)
  }

  /// The pipeline of the resources.
  var pipeline: AppPipeline { get throws { try AppPipeline("notes.pipeline", in: resources) } }

  /// The store's version among the sample's models.
  var version: String? {
    get throws {
      let models = try ModelSource([resources.appending(path: "Notes.xcdatamodeld").path])
      return try Store(store.path).recognise(among: models).model?.name
    }
  }

  /// A text of the resources.
  func text(_ name: String) throws -> Data { try Data(contentsOf: resources.appending(path: name)) }

  /// Writes another text in the place of one.
  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: resources.appending(path: name))
  }

  /// The pipeline file with a stage more above its swap.
  func addStage(_ stage: String) throws {
    let text = String(decoding: try text("notes.pipeline"), as: UTF8.self)
    try write(
      text.replacing("stage \"swap\"", with: "\(stage)\nstage \"swap\""), to: "notes.pipeline")
  }
}
