import Formats
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import pipeline

@Suite("The page of what programs may rely on", .temporaryFolder)
struct ContractsPageTests {
  /// One document of the page.
  private struct Chapter {
    let title: String
    var before: [String] = []
    var examples: [String] = []
    var keys: [String] = []
  }

  private static func page(_ name: String) throws -> String {
    let path = "../../Sources/StorePipeline/StorePipeline.docc/\(name)"
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    return try String(contentsOf: folder.appending(path: path), encoding: .utf8)
  }

  private static func chapters() throws -> [Chapter] {
    var chapters: [Chapter] = []
    for line in try page("Contracts.md").split(separator: "\n").map(String.init) {
      let quoted = line.split(separator: "`").dropFirst().first.map(String.init) ?? ""
      if line.hasPrefix("### ") {
        chapters.append(Chapter(title: String(line.dropFirst(4))))
      } else if let last = chapters.indices.last {
        if line.hasPrefix("Example: ") { chapters[last].examples.append(quoted) }
        if line.hasPrefix("After: ") { chapters[last].before.append(quoted) }
        if line.hasPrefix("| `") { chapters[last].keys.append(quoted) }
      }
    }
    return chapters
  }

  private static func keys(_ text: some StringProtocol) throws -> Set<String> {
    Set((try JSONValue(reading: Array(text.utf8)).members ?? []).map(\.name))
  }

  @Test("every document has the keys of its table and no others") func documents() throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    let chapters = try Self.chapters()
    #expect(chapters.count > 15)
    for chapter in chapters {
      for command in chapter.before { #expect(try Tool.shell(command).status == 0, "\(command)") }
      for example in chapter.examples {
        let outcome = try Tool.shell(example)
        guard chapter.title != "Events" else { continue }
        #expect(try Self.keys(outcome.output) == Set(chapter.keys), "\(example)\n\(outcome.errors)")
      }
    }
  }

  @Test("every event has keys of its table") func events() throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    let chapter = try #require(try Self.chapters().first { $0.title == "Events" })
    for example in chapter.examples { #expect(try Tool.shell(example).status == 0) }
    let file = TemporaryFolder.url.appending(path: "events.jsonl")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    #expect(lines.count > 5)
    for line in lines { #expect(try Self.keys(line).isSubset(of: chapter.keys), "\(line)") }
  }

  @Test("every command stands on the page of commands, with its summary")
  func commands() throws {
    let page = try Self.page("Commands.md")
    for command in Program.pipeline.commands {
      let words = (["pipeline"] + command.path).joined(separator: " ")
      let summary = command.summary.prefix(1).lowercased() + command.summary.dropFirst().dropLast()
      #expect(page.contains("| `\(words)` | \(summary) |"), "\(words)")
    }
  }

  @Test("every command that answers in JSON has a document on the page")
  func answers() throws {
    let page = try Self.page("Contracts.md")
    for command in Program.pipeline.commands where command.shared.contains(where: isJSON) {
      let name = command.path.joined(separator: " ")
      #expect(
        page.contains("`pipeline \(name) ") || page.contains("`\(name)`"), "\(name)")
    }
  }

  private func isJSON(_ form: ArgumentForm) -> Bool { form.name == "json" }
}
