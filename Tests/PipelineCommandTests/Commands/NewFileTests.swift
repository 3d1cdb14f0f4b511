import Foundation
import TestSupport
import Testing

@testable import pipeline

@Suite("New file", .temporaryFolder)
struct NewFileTests {
  @Test("a file is made once, and never written over") func once() throws {
    let file = NewFile(path: TemporaryFolder.url.appending(path: "page.html").path)
    try file.create("one")
    let refusal = #expect(throws: CommandFailure.self) { try file.create("two") }
    #expect(refusal?.status == .misuse)
    #expect(try String(contentsOf: URL(filePath: file.path), encoding: .utf8) == "one")
  }

  @Test("a link that leads nowhere is not followed") func link() throws {
    let folder = TemporaryFolder.url
    let file = NewFile(path: folder.appending(path: "link").path)
    try FileManager.default.createSymbolicLink(
      atPath: file.path, withDestinationPath: folder.appending(path: "elsewhere").path)
    #expect(throws: CommandFailure.self) { try file.create("text") }
    #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "elsewhere").path))
  }

  @Test("what the machine refuses is reported with the path") func refused() throws {
    let file = NewFile(path: TemporaryFolder.url.appending(path: "none/page.html").path)
    let refusal = #expect(throws: CommandFailure.self) { try file.create("text") }
    #expect(refusal?.status == .refused)
    #expect(refusal?.problem.message.contains(file.path) == true)
  }
}
