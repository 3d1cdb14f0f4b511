import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// The program of the page on writing a stage, built next to the command.
@Suite("The example program", .temporaryFolder)
struct ExampleProgramTests {
  /// The sample's pipeline file with the program's own stage above the swap.
  private static func lay(adding sql: String = "") throws {
    let folder = TemporaryFolder.url
    try NotesSample.lay(in: folder, adding: sql)
    let file = folder.appending(path: "notes.pipeline")
    let text = try String(contentsOf: file, encoding: .utf8)
      .replacing("stage \"swap\"", with: "stage \"stamp\" { ink = \"blue\" }\nstage \"swap\"")
    try Data(text.utf8).write(to: file)
  }

  @Test("it migrates a store with a stage of its own")
  func migrates() throws {
    try Self.lay()
    let outcome = try Tool.shell("ExampleProgram notes.pipeline Notes.sqlite")
    #expect(outcome.output.contains("3 titles, stamped in blue\n"))
    #expect(outcome.output.hasSuffix("Notes to Notes 2: swapped\n"))
    #expect(outcome.status == 0)
  }

  @Test("the command knows nothing of the stage, and the pipeline file checks its options")
  func unknown() throws {
    try Self.lay()
    let outcome = try Tool.shell("pipeline check notes.pipeline")
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("unknown stage 'stamp'"))
  }
}
