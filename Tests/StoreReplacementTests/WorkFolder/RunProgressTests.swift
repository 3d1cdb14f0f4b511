import CoreDataStore
import Foundation
import StoreReplacement
import StoreTestSupport
import TestSupport
import Testing

@Suite("Where a run is", .temporaryFolder) struct RunProgressTests {
  private func folder() throws -> WorkFolder {
    let folder = try WorkFolder(store: StoreSample.make())
    try folder.make()
    return folder
  }

  @Test(
    "it is read as it was written",
    arguments: [
      RunProgress(stage: "copy"), RunProgress(stage: "a \"b\"", entity: "Ä\n", rows: 7, total: 9),
      RunProgress(stage: "copy", entity: "Item", rows: .max, total: .max),
    ])
  func roundTrip(progress: RunProgress) throws {
    let folder = try folder()
    let note = try RunProgress.Note(folder)
    for progress in [progress, RunProgress(stage: "a longer one than any", rows: 7), progress] {
      note.write(progress)
      #expect(RunProgress.read(folder) == progress)
    }
    try RunProgress.Note(folder).write(RunProgress(stage: "next"))
    #expect(RunProgress.read(folder)?.stage == "next", "of the run that is at it now")
  }

  @Test(
    "what cannot be read is none, and never an error",
    arguments: ["", "{", "[]", "{\"rows\": 1}", "{\"stage\": 5}", "\u{0}"])
  func damaged(text: String) throws {
    let folder = try folder()
    #expect(RunProgress.read(folder) == nil)
    try Data(text.utf8).write(to: URL(filePath: folder.progressPath))
    #expect(RunProgress.read(folder) == nil)
  }

  @Test("where it cannot be made there is none") func unwritable() throws {
    let folder = try folder()
    try FileManager.default.createDirectory(
      atPath: folder.progressPath + "/x", withIntermediateDirectories: true)
    #expect(throws: (any Error).self) { try RunProgress.Note(folder) }
    #expect(RunProgress.read(folder) == nil)
  }
}
