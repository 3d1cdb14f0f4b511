import Foundation
import StorePipeline
import TestSupport
import Testing

@Suite("The page on writing a stage", .temporaryFolder)
struct WritingStagesPageTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../../../..")
    .standardizedFileURL

  private static func page() throws -> String {
    let path = "Sources/StorePipeline/StorePipeline.docc/WritingStages.md"
    return try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  private static func blocks(_ language: String) throws -> [String] {
    try page().split(separator: "```\(language)\n").dropFirst().map {
      String($0.prefix(upTo: $0.firstRange(of: "```")?.lowerBound ?? $0.endIndex))
    }
  }

  @Test("its stages in Lua can be loaded, and its pipeline has the first of them")
  func stages() throws {
    let blocks = try Self.blocks("lua")
    let stages = try blocks.filter { $0.contains("\nreturn {") }.map { text in
      let folder = TemporaryFolder.url.appending(path: "stages")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let name = text.contains("trim") ? "trim.lua" : "number.lua"
      let file = folder.appending(path: name)
      try Data(text.utf8).write(to: file)
      return try LuaStage.load(path: file.path)
    }
    #expect(stages.map(\.description.name) == ["trim", "number"])
    #expect(stages.map(\.isResumable) == [false, true])
    let text = try #require(blocks.first { $0.contains("pipeline \"Notes\"") })
    let models = Self.root.appending(path: "samples/Notes/Notes.xcdatamodeld")
    try FileManager.default.copyItem(
      at: models, to: TemporaryFolder.url.appending(path: models.lastPathComponent))
    let path = TemporaryFolder.url.appending(path: "notes.pipeline").path
    let pipeline = try PipelineFile(text, path: path).pipeline()
    #expect(pipeline.plugins.map(\.stage.description.name) == ["trim"])
  }

  @Test("its single lines are stages of a pipeline")
  func lines() throws {
    let header = "pipeline \"P\" { format = 1, models = \"M\" }\n"
    let above = "stage \"detect\" {} stage \"open\" {} stage \"copy\" {}\n"
    let blocks = try Self.blocks("lua").filter { $0.hasPrefix("stage") }
    #expect(blocks.count == 2)
    for block in blocks {
      let file = PipelineFile(header + above + block, path: "page.pipeline")
      #expect(throws: Never.self) { try file.pipeline(checksFiles: false) }
    }
  }

  @Test("the stage in Swift and its program are those that are compiled here")
  func swift() throws {
    let blocks = try Self.blocks("swift")
    let folder = Self.root.appending(path: "Tests/ExampleProgram")
    for name in ["StampStage.swift", "Main.swift"] {
      let file = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      #expect(blocks.contains(file))
    }
    #expect(blocks.count == 3)
  }

  @Test("it has every name of the context, of an option and of a fact")
  func names() throws {
    let page = try Self.page()
    for name in [
      "options", "each", "groups", "find", "count", "make", "delete", "merge", "entity", "key",
      "entities", "attributes", "relationships", "state", "checkpoint", "history", "warn", "fail",
      "now", "random",
    ] {
      #expect(page.contains("`ctx.\(name)"), "ctx.\(name) is missing")
    }
    for name in ["run", "store", "file", "source", "target", "moment", "status", "new_store"] {
      #expect(page.contains("`${\(name)}`"), "${\(name)} is missing")
      #expect(page.contains("`PIPELINE_\(name.uppercased())`"))
    }
  }
}
