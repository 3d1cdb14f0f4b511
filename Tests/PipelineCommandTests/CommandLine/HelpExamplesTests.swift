import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import pipeline

/// Gives the examples of each command's help, in a folder that has what they name.
@Suite("Examples in help", .temporaryFolder)
struct HelpExamplesTests {
  /// What only an application has, such as a store that keeps its model, or a shell; and a loop
  /// that does not end.
  private static let outside = [
    ".momd", "App.xcdatamodeld", ".xcmappingmodel", "default.store", "Note.identifier",
    "Note.status", "completions", "> /usr", "--watch", "pipeline diff", "model extract",
    "--plugin", "Store.sqlite",
  ]

  static let examples = Program.pipeline.commands.flatMap { command in
    command.examples.map(\.line).filter { line in !outside.contains(where: line.contains) }
      .map { (command.path.joined(separator: " "), $0) }
  }

  /// A pipeline file with a param and a script `note.lua`, tests of it, and a store of many names.
  private static let ground = """
    mv notes_priority.lua note.lua
    (echo 'param "size" { default = 1 }'; sed s/notes_priority/note/ notes.pipeline) > p
    mv p notes.pipeline
    mkdir scripts reports
    case='case "a word" { given = { priority = "low" }, expect = { priority = -1 } }'
    (echo 'script "note.lua" { entity = "Note" }'; echo "$case") > note_test.lua
    (echo 'script "../note.lua" { entity = "Note", pipeline = "../notes.pipeline" }'
    echo "$case") > scripts/a_test.lua
    for name in App Cache; do cp Notes.sqlite $name.sqlite; done
    """
  private static let stores = """
    mkdir stores; cp Notes.sqlite stores/; echo stores/Notes.sqlite > stores.txt
    """
  private static let migrated = """
    pipeline backup Notes.sqlite before-update; mkdir backup; cp Notes.sqlite backup/
    pipeline run notes.pipeline Notes.sqlite --events a.events; cp a.events b.events
    """

  private static func preparation(of command: String) -> [String] {
    switch command {
    case "status", "rejects", "retry", "clean", "verify", "rollback": [migrated]
    case "fleet": [stores, migrated]
    case "restore":
      ["pipeline backup Notes.sqlite before-update; pipeline backup App.sqlite Cache.sqlite both"]
    case "trust":
      [
        #"echo 'stage "hook" { command = { "true" } }' >> notes.pipeline"#,
        "pipeline trust notes.pipeline",
      ]
    case "inspect", "run": [stores]
    default: []
    }
  }

  @Test("can be given as they stand", arguments: examples)
  func given(command: String, line: String) throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    for preparation in [Self.ground] + Self.preparation(of: command) {
      let outcome = try Tool.shell(preparation)
      #expect(outcome.status == 0, "\(outcome)")
    }
    let outcome = try Tool.shell(line)
    // Some have data that would be lost: what to give up is for the reader to say.
    let isAsked = outcome.status == 2 && outcome.errors.contains("Give it up with:")
    #expect(outcome.status < 2 || isAsked, "\(line): \(outcome)")
  }

  @Test("are those of most commands") func many() {
    #expect(Self.examples.count > 50)
    #expect(Set(Self.examples.map(\.0)).count > Program.pipeline.commands.count * 3 / 4)
  }
}
