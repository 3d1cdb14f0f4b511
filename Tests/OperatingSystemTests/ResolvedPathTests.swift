import Foundation
import OperatingSystem
import TestSupport
import Testing

@Suite("Resolved paths", .temporaryFolder) struct ResolvedPathTests {
  private let folder = TemporaryFolder.url.path

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: samplePath(name), withDestinationPath: target)
  }

  @Test("what is there has the path that realpath gives, behind a link too") func there() throws {
    let real = try FileSystem.realPath(folder)
    try Data().write(to: URL(filePath: samplePath("file")))
    try link("linked", to: folder)
    for path in ["file", "linked/file", "linked/./linked/file", "none/../file"] {
      #expect(FileSystem.resolved(samplePath(path)) == "\(real)/file")
    }
    #expect(FileSystem.resolved(folder) == real)
  }

  @Test("however a path is written, it leads to the same real one") func spellings() throws {
    let real = try FileSystem.realPath(folder)
    try Data().write(to: URL(filePath: samplePath("file")))
    try link("linked", to: ".")
    try link("other", to: "file")
    for path in ["file", "/file", "./file", "linked/file", "linked/./linked/file", "other"] {
      #expect(try FileSystem.realPath("\(real)/\(path)") == "\(real)/file", "\(path)")
    }
    #expect(try FileSystem.realPath("\(real)/linked/") == real)
    #expect(try FileSystem.realPath("/") == "/")
    #expect(throws: SystemError.self) { try FileSystem.realPath("\(real)/none") }
    #expect(throws: SystemError.self) { try FileSystem.realPath("\(real)/file/") }
  }

  @Test("what is not there yet is in the real folder, and a link leads to what will be made")
  func missing() throws {
    let real = try FileSystem.realPath(folder)
    try link("linked", to: ".")
    try link("later", to: "new")
    try link("loop", to: "loop")
    #expect(FileSystem.resolved(samplePath("linked/new")) == "\(real)/new")
    #expect(FileSystem.resolved(samplePath("later")) == "\(real)/new")
    #expect(FileSystem.resolved(samplePath("loop")) == "\(real)/loop")
  }

  @Test("a path that does not begin at the root begins at the current folder") func relative() {
    let here = FileManager.default.currentDirectoryPath
    #expect(FileSystem.resolved("none") == FileSystem.resolved("\(here)/none"))
    #expect(FileSystem.resolved("/") == "/")
  }
}
