import CoreDataStore
import Foundation
import StoreMigration
import StorePipeline
import Testing

@Suite("The page on the pipeline file")
struct PipelineFilePageTests {
  private static func page() throws -> String {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let page = "../../../Sources/StorePipeline/StorePipeline.docc/PipelineFile.md"
    return try String(contentsOf: folder.appending(path: page), encoding: .utf8)
  }

  @Test("each of its examples is a pipeline without a mistake")
  func examples() throws {
    let blocks = try Self.page().split(separator: "```lua\n").dropFirst()
    let examples = blocks.compactMap { $0.split(separator: "```").first }
    #expect(examples.count == 4)
    for example in examples {
      let file = PipelineFile(String(example), path: "page.pipeline")
      #expect(throws: Never.self) { try file.pipeline(checksFiles: false) }
    }
  }

  @Test("it has every option of the pipeline and every rule of copy")
  func names() throws {
    let page = try Self.page()
    for option in ["format", "models", "target", "accept", "store", "plugins"] {
      #expect(page.contains("| `\(option)` |"))
    }
    let copy = try #require(StageRegistry.standard["copy"])
    for rule in copy.rules { #expect(page.contains("  \(rule.name) ")) }
  }

  @Test("it has every conversion there is")
  func conversions() throws {
    let page = try Self.page()
    for row in Self.rows { #expect(page.contains("\n\(row)\n"), "\(row) is missing") }
  }

  /// One row for all types that a type is converted into by the same rule.
  private static var rows: [String] {
    AttributeType.allCases.flatMap { source in
      let all = AttributeType.allCases.compactMap { Conversion(from: source, to: $0) }
      let rules = all.map(\.rule).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
      return rules.map { rule in
        let targets = all.filter { $0.rule == rule }.map(\.target.name).joined(separator: ", ")
        return "| \(source.name) | \(targets) | \(rule) |"
      }
    }
  }
}
