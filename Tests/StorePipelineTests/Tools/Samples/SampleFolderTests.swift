import CoreDataStore
import Foundation
import StorePipeline
import TestSupport
import Testing

@Suite("Where samples are kept", .temporaryFolder)
struct SampleFolderTests {
  private func make(_ path: String) throws -> URL {
    let url = TemporaryFolder.url.appending(path: path)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    return url
  }

  @Test(
    "the folder is found above the program, installed or where it was built",
    arguments: [
      ("share/pipeline", "bin"), ("", ".build/debug"), ("", ".build/x86_64-linux/release"),
    ])
  func finds(share: String, program: String) throws {
    for name in ["samples", "pipelines", "scripts"] { _ = try make("\(share)/\(name)") }
    let binary = try make(program).appending(path: "pipeline")
    try Data().write(to: binary)
    _ = try SampleFolder(of: binary)
  }

  @Test("a link to the program leads to the folder of the program") func link() throws {
    for name in ["samples", "pipelines", "scripts"] { _ = try make("opt/share/pipeline/\(name)") }
    let binary = try make("opt/bin").appending(path: "pipeline")
    try Data().write(to: binary)
    let link = try make("other").appending(path: "pipeline")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: binary)
    _ = try SampleFolder(of: link)
  }

  @Test("a program that stands alone says what is missing") func alone() throws {
    let binary = try make("bin").appending(path: "pipeline")
    let error = #expect(throws: Failure.self) { try SampleFolder(of: binary) }
    #expect(error?.what == "cannot find the samples")
  }

  @Test("the paths of the pipeline file lead to what lies next to it") func flat() throws {
    let folder = TemporaryFolder.url.appending(path: "van")
    let sample = try #require(Sample.all.first { $0.name == "moving-van" })
    let names = try SampleFolder(SampleTests.project).lay(sample, in: folder.path, size: .small)
    let text = try String(
      contentsOf: folder.appending(path: "moving-van.pipeline"), encoding: .utf8)
    #expect(!text.contains(".."))
    #expect(names.contains("moving_van_pictures.lua"))
  }
}
