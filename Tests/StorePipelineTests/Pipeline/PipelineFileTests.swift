import Foundation
import StorePipeline
import TestSupport
import Testing

@Suite("Pipeline file", .temporaryFolder)
struct PipelineFileTests {
  @Test("the full example of the contract is evaluated to plain data")
  func fullExample() throws {
    let pipeline = try PipelineText(FullExample.text).pipeline()
    #expect(pipeline.name == "Bookmarks, all versions")
    #expect(pipeline.models == ["App.xcdatamodeld", "Sync.xcdatamodeld"])
    #expect(pipeline.accept == ["App", "App 2", "App 3"])
    #expect(pipeline.target == "App 4")
    #expect(pipeline.steps.map(\.version) == ["App 3", "App 4"])
    #expect(
      pipeline.stages.map(\.stage.name) == [
        "detect", "open", "copy", "copy", "transform", "metadata", "validate", "verify", "backup",
        "hook", "swap",
      ])
    let transform = try #require(pipeline.steps.last?.stages.last)
    #expect(
      transform.options == [
        "entity": .text("Item"), "script": .text("split.lua"), "on_error": .text("reject"),
        "rejects": .integer(100), "params": .table(["size": .integer(160)]),
      ])
    let metadata = try #require(pipeline.stages.first { $0.stage.name == "metadata" }?.stage)
    #expect(metadata["uuid"] == .text("keep"))
    #expect(metadata["set"] == .table(["MyApp.migrated": .boolean(true)]))
  }

  @Test("the rules of the full example keep their order, their types and their lines")
  func rules() throws {
    let copy = try #require(try PipelineText(FullExample.text).pipeline().steps.first?.stages.first)
    #expect(copy.line == 14)
    #expect(copy.rules.map(\.name) == ["rename", "drop", "map", "where", "one"])
    #expect(copy.rules.map(\.line) == [15, 16, 17, 18, 19])
    #expect(copy.line(of: "accept_loss") == 20)
    #expect(copy.rules[0]["attributes"] == .table(["href": .text("url")]))
    #expect(copy.rules[1]["names"] == .list([.text("Link.legacyCode"), .text("Visit")]))
    #expect(
      copy.rules[2]["attributes"]
        == .table([
          "title": .from("name"), "order": .integer(0),
          "depth": .convert("depth", to: "Integer 32"),
        ]))
    #expect(copy.rules[3]["condition"] == .text("savedAt IS NOT NULL"))
    #expect(copy.rules[4]["relationship"] == .text("Item.boxes"))
    #expect(copy["accept_loss"] == .list([.text("Photo.exif")]))
  }

  @Test("options that are not written have their defaults, inside tables too")
  func defaults() throws {
    let stages = #"stage "detect" {} stage "open" {} stage "copy" { chunk = { rows = 5 } }"#
    let pipeline = try PipelineText(PipelineText.header + stages).pipeline()
    let (open, copy) = (pipeline.stages[1].stage, pipeline.stages[2].stage)
    #expect(open["wait"]?.duration == .seconds(10))
    #expect(copy["start"]?.text == "auto")
    #expect(copy["chunk"]?["rows"]?.integer == 5)
    #expect(copy["chunk"]?["bytes"]?.bytes == 8 << 20)
    #expect(copy["chunk"]?["time"]?.duration == .milliseconds(500))
  }

  @Test("a number in place of the chunk's table means rows")
  func shorthand() throws {
    let stages = #"stage "detect" {} stage "open" {} stage "copy" { chunk = 500 }"#
    let copy = try PipelineText(PipelineText.header + stages).pipeline().stages[2].stage
    #expect(copy["chunk"]?["rows"]?.integer == 500)
  }

  @Test("a table of options can be shared, and what a stage says itself goes before it")
  func shared() throws {
    let text = """
      local common = { on_error = "skip", rejects = 7 }
      stage "detect" {} stage "open" {}
      stage "transform" { common, entity = "A", script = "a.lua" }
      stage "transform" { common, entity = "B", script = "b.lua", on_error = "stop" }
      """
    let stages = try PipelineText(PipelineText.header + text).pipeline().stages.map(\.stage)
    #expect(stages[2]["on_error"]?.text == "skip")
    #expect(stages[3]["on_error"]?.text == "stop")
    #expect(stages[3]["rejects"]?.integer == 7)
  }

  @Test("the environment is read where the file asks for it")
  func environment() throws {
    let text = """
      pipeline "P" { format = 1, models = "P.mom", store = env "STORE" or "Default.sqlite" }
      """
    let file = PipelineText(text + PipelineText.stages)
    #expect(try file.pipeline().stores == ["Default.sqlite"])
    let settings = PipelineSettings(environment: ["STORE": "Shop.sqlite"])
    #expect(try file.pipeline(settings).stores == ["Shop.sqlite"])
  }

  @Test("models and scripts that are not there are reported, relative to the file")
  func missingFiles() throws {
    let folder = TemporaryFolder.url
    let path = folder.appending(path: "up.pipeline").path
    try Data().write(to: folder.appending(path: "there.lua"))
    let text = """
      pipeline "P" {
        format = 1,
        models = { "P.mom", "there.lua" },
      }
      stage "detect" { script = "there.lua" }
      stage "open" {}
      stage "transform" {
        entity = "Item",
        script = "gone.lua",
      }
      """
    try Data(text.utf8).write(to: URL(filePath: path))
    let error = #expect(throws: PipelineFileError.self) {
      try PipelineFile(path: path).pipeline()
    }
    let models = folder.appending(path: "P.mom").standardizedFileURL.path
    let script = folder.appending(path: "gone.lua").standardizedFileURL.path
    let advice = "; write the file, or correct its name"
    #expect(
      error?.description == """
        \(path):3: option 'models[1]' names "P.mom", and there is no \(models)\(advice)
        \(path):9: option 'script' names "gone.lua", and there is no \(script)\(advice)
        """)
  }

  @Test("a file that is not there, a folder and a file too large are reported")
  func unreadable() throws {
    let folder = TemporaryFolder.url
    let gone = folder.appending(path: "gone.pipeline").path
    #expect(
      #expect(throws: PipelineFileError.self) { try PipelineFile(path: gone) }?.description
        == "\(gone): there is no such file")
    #expect(
      #expect(throws: PipelineFileError.self) { try PipelineFile(path: folder.path) }?.description
        == "\(folder.path): the file cannot be read: it is a folder without a pipeline file")
    let large = folder.appending(path: "large.pipeline").path
    try Data(repeating: 0x20, count: WrittenText.largest + 1).write(to: URL(filePath: large))
    #expect(
      #expect(throws: PipelineFileError.self) { try PipelineFile(path: large) }?.description
        == "\(large): larger than 1024 KiB, which no pipeline file needs to be")
  }
}
