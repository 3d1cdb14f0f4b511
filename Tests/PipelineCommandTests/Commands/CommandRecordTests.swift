import Foundation
import Testing

@testable import pipeline

@Suite("A command as the record of a run keeps it")
struct CommandRecordTests {
  @Test("paths lead from the root, options have one word, and paths stand behind all of them")
  func words() {
    let here = FileManager.default.currentDirectoryPath
    #expect(
      CommandRecord.words(
        "run",
        [
          .path("a.pipeline"), .option("set", "--x=1"), .path("/s.sqlite"), .file("output", "o"),
          .flag("force"),
        ]) == [
          "run", "--set=--x=1", "--output=\(here)/o", "--force", "--", "\(here)/a.pipeline",
          "/s.sqlite",
        ])
  }

  @Test("only what can be resumed is a record", arguments: ["inspect", "", "runs", "status"])
  func others(name: String) {
    #expect(CommandRecord(words: [name]) == nil)
    #expect(CommandRecord(words: []) == nil)
  }

  @Test("words that begin with dashes stay what they were")
  func dashes() async throws {
    let words = CommandRecord.words("run", [.path("/--help"), .path("/-x")])
    let command = try RunCommand.parse(Array(words.dropFirst())).command
    #expect(command.file == "/--help")
  }
}
