import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import pipeline

/// What messages suggest to type, taken from real ones.
@Suite("Commands that messages suggest", .temporaryFolder)
struct SuggestedCommandTests {
  /// A folder whose name needs quotes.
  private static var folder: URL { TemporaryFolder.url.appending(path: "it's $HOME") }

  private static func shell(_ line: String) throws -> Tool.Outcome {
    try Tool.shell(line, in: folder)
  }

  /// The commands in a text: between backquotes, after a colon, or on a line of their own.
  private static func commands(in outcome: Tool.Outcome) -> [String] {
    (outcome.output + "\n" + outcome.errors).split(separator: "\n").flatMap { line -> [String] in
      if line.hasPrefix("  pipeline ") { return [String(line.dropFirst(2))] }
      if let start = line.firstRange(of: ": pipeline ") {
        return [String(line[start.lowerBound...].dropFirst(2))]
      }
      return line.matches(of: /`(pipeline [^`]*)`/).map { String($0.1) }
    }
  }

  /// The words of a command, as a shell reads them.
  private static func words(_ command: String) throws -> [String] {
    let line = "set -- \(command.dropFirst("pipeline ".count)); printf '%s\\n' \"$@\""
    return try shell(line).output.split(separator: "\n").map(String.init)
  }

  private static let interrupted = "pipeline run notes.pipeline Notes.sqlite --until copy -q"
  private static let changed = "echo '-- another thought' >> notes_priority.lua"

  @Test(
    "can be pasted as they are printed",
    arguments: [
      ("\(interrupted); pipeline status Notes.sqlite", ["resume", "abandon"]),
      (
        "\(interrupted) --work 'my work'; pipeline status Notes.sqlite --work 'my work'",
        ["resume", "abandon"]
      ),
      ("\(interrupted); \(changed); pipeline status Notes.sqlite", ["run", "abandon"]),
      ("\(interrupted); \(changed); pipeline resume", ["run"]),
      (
        "\(interrupted) --work 'my work'; \(changed); "
          + "pipeline resume Notes.sqlite --work 'my work'", ["run"]
      ),
      (
        "\(interrupted); echo x > Notes.sqlite.pipeline/run/state.json; pipeline status",
        ["abandon"]
      ),
      (
        "\(interrupted); echo x > Notes.sqlite.pipeline/run/state.json; pipeline resume",
        ["status", "abandon"]
      ),
      ("pipeline run notes.pipeline Notes.sqlite", ["restore"]),
      ("pipeline run notes.pipeline Notes.sqlite --work 'my work'", ["restore"]),
      ("pipeline rollback Notes.sqlite", ["status"]),
      ("pipeline rollback Notes.sqlite --work 'my work'", ["status"]),
      ("pipeline verify Notes.sqlite", ["status"]),
      ("pipeline upgrade Notes.sqlite --models 'Notes 2.xcdatamodel'", ["inspect"]),
      (
        "echo 'stage \"hook\" { on = \"finished\", command = { \"./none\" } }' >> notes.pipeline; "
          + "touch none; chmod +x none; pipeline run notes.pipeline Notes.sqlite", ["trust"]
      ),
    ])
  func pasted(line: String, names: [String]) throws {
    try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
    try NotesSample.lay(in: Self.folder)
    try FileManager.default.copyItem(
      at: Self.folder.appending(path: "Notes.xcdatamodeld/Notes 2.xcdatamodel"),
      to: Self.folder.appending(path: "Notes 2.xcdatamodel"))
    let outcome = try Self.shell(line)
    let commands = Self.commands(in: outcome)
    let parsed = try commands.map(Self.words)
    #expect(parsed.map(\.first) == names, "\(outcome)")
    for (words, command) in zip(parsed, commands) {
      guard case .command(let type, _, let rest) = try Program.pipeline.request(words) else {
        Issue.record("\(command) is no command")
        continue
      }
      #expect(throws: Never.self, "\(command)") { try type.check(rest) }
      #expect(words.contains { $0.hasSuffix("Notes.sqlite") || $0 == "notes.pipeline" })
      #expect(words.contains("--work") == line.contains("--work"), "\(command)")
      let done = try Self.shell(command)
      #expect(done.status == 0 || words.first == "inspect", "\(command): \(done)")
    }
  }
}

extension Command {
  /// Reads the words as the program does.
  fileprivate static func check(_ words: [String]) throws { _ = try parse(words) }
}
