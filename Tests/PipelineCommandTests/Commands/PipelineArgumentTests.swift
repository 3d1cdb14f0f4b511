import Foundation
import StorePipeline
import TestSupport
import Testing

@testable import pipeline

@Suite("A pipeline file on the command line", .temporaryFolder)
struct PipelineArgumentTests {
  private func open(
    _ parameters: [String], environment: [String: String] = [:]
  ) throws -> Pipeline {
    let folder = TemporaryFolder.url
    let models = folder.appending(path: "A.xcdatamodeld")
    try FileManager.default.createDirectory(at: models, withIntermediateDirectories: true)
    let file = folder.appending(path: "a.pipeline")
    let text = """
      param "name" { default = "none" }
      pipeline(param.name) { format = 1, models = "A.xcdatamodeld" }
      stage "detect" {}
      stage "open" {}
      stage "copy" {}
      stage "swap" {}
      """
    try Data(text.utf8).write(to: file)
    let console = Console(
      output: Recorder().stream(), errors: Recorder().stream(), environment: environment)
    return try PipelineArgument(path: file.path, parameters: parameters).open(console)
  }

  @Test(
    "what --set gives reaches the file; a value may have signs of its own",
    arguments: [
      ([], "none"), (["name=mine"], "mine"), (["name=a=b"], "a=b"), (["name=a", "name=b"], "b"),
    ])
  func set(parameters: [String], name: String) throws {
    #expect(try open(parameters).name == name)
  }

  @Test("a value without a name is refused", arguments: ["name", "=x", ""])
  func nameless(text: String) {
    #expect(throws: UsageError.self) { try open([text]) }
  }

  @Test("a param that the file does not have is refused")
  func unknown() {
    let error = #expect(throws: PipelineFileError.self) { try open(["nme=x"]) }
    #expect(error?.description.contains("name") == true)
  }
}
