import Foundation
import StoreTestSupport
import TestSupport
import Testing

@Suite("Rejected objects", .temporaryFolder)
struct RejectsCommandTests {
  /// A run of the notes whose script does not know one of the priorities.
  private static func run() throws -> String {
    try NotesSample.lay(in: TemporaryFolder.url)
    let outcome = try Tool.shell(
      """
      sed 's/high = 1/medium = 0/' notes_priority.lua > other.lua && mv other.lua notes_priority.lua
      sed 's/priority.lua" }/priority.lua", on_error = "reject" }/' notes.pipeline > r.pipeline
      pipeline run r.pipeline Notes.sqlite --quiet
      """)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output
  }

  private static var line: Regex<Substring> {
    /Note 1 +there is no priority.* +notes_priority.lua:\d+/
  }

  @Test("the run's output, status and rejects name the object, the reason and the script's line")
  func lines() throws {
    #expect(try Self.run().contains(Self.line))
    #expect(try Tool.shell("pipeline status Notes.sqlite").output.contains(Self.line))
    let listed = try Tool.shell("pipeline rejects Notes.sqlite").output
    #expect(listed.contains("1 object rejected"))
    #expect(listed.contains(Self.line))
    #expect(!listed.contains("Milk"))
  }

  @Test("values are shown when they are asked for, as text and as JSON")
  func values() throws {
    _ = try Self.run()
    let text = try Tool.shell("pipeline rejects Notes.sqlite --values").output
    #expect(text.contains("    title = \"Milk\""))
    #expect(text.contains("    folder = Folder 1"))
    let json = try Tool.shell("pipeline rejects Notes.sqlite --values --json").output
    #expect(json.contains("\"title\": \"\\\"Milk\\\"\""))
    #expect(json.contains("\"count\": 1"))
  }

  @Test("a store without any says so, and a limit below 0 is a mistake")
  func none() throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    let outcome = try Tool.shell("pipeline rejects Notes.sqlite")
    #expect(outcome.output.hasSuffix("Notes.sqlite: no object waits to be retried\n"))
    #expect(try Tool.shell("pipeline rejects Notes.sqlite --limit=-1").status == 2)
    #expect(try Tool.shell("pipeline rejects None.sqlite").status == 3)
  }
}
