import Foundation
import StorePipeline
import TestSupport
import Testing

@Suite("Test files", .temporaryFolder)
struct TestFilesTests {
  private func path(_ name: String) -> String { TemporaryFolder.url.appending(path: name).path }

  @Test("folders are searched, hidden ones are not, and no file comes twice")
  func find() throws {
    for name in ["a_test.lua", "b.lua", "in/c_test.lua", ".git/d_test.lua"] {
      let url = URL(filePath: path(name))
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: url)
    }
    let folder = TemporaryFolder.url.path
    #expect(
      try TestFiles.find([folder, path("a_test.lua")]) == [
        path("a_test.lua"), path("in/c_test.lua"),
      ])
    #expect(try TestFiles.find([path("b.lua")]) == [path("b.lua")])
  }

  @Test("a path that leads nowhere and a folder without tests are reported together")
  func nothing() throws {
    try FileManager.default.createDirectory(
      atPath: path("empty"), withIntermediateDirectories: false)
    let error = #expect(throws: PipelineFileError.self) {
      try TestFiles.find([path("no"), path("empty")])
    }
    #expect(
      error?.problems.map(\.message) == [
        "there is no such file or folder",
        "no file in it is named *_test.lua: 'pipeline new' writes one, and 'pipeline help test' "
          + "says what stands in it",
      ])
  }
}
