import Foundation
import StorePipeline
import TestSupport
import Testing

@Suite("Text of a file", .temporaryFolder)
struct WrittenTextTests {
  private func path(_ bytes: Int) throws -> String {
    let url = TemporaryFolder.url.appending(path: "a.lua")
    try Data(repeating: 0x20, count: bytes).write(to: url)
    return url.path
  }

  @Test("what is not too large is read whole", arguments: [0, 1, WrittenText.largest])
  func read(bytes: Int) throws {
    #expect(try WrittenText.read(try path(bytes), as: "script").count == bytes)
  }

  @Test("one byte more is too much, and the mistake says what the file is")
  func large() throws {
    let path = try path(WrittenText.largest + 1)
    let problem = #expect(throws: Problem.self) { try WrittenText.read(path, as: "script") }
    #expect(problem?.description == "\(path): larger than 1024 KiB, which no script needs to be")
  }

  @Test("what is not there, and what is no file")
  func unreadable() {
    let folder = TemporaryFolder.url.path
    let gone = #expect(throws: Problem.self) {
      try WrittenText.read(folder + "/gone", as: "script")
    }
    #expect(gone?.message == "there is no such file")
    let other = #expect(throws: Problem.self) { try WrittenText.read(folder, as: "script") }
    #expect(other?.message == "the file cannot be read: it is a folder without a script")
  }

  @Test("a pipe with a name is not waited for", .timeLimit(.minutes(30)))
  func pipe() {
    let path = TemporaryFolder.url.path + "/pipe.lua"
    #expect(NamedPipe.make(path))
    let problem = #expect(throws: Problem.self) { try WrittenText.read(path, as: "script") }
    #expect(problem?.message.hasPrefix("it is not a regular file; save what it gives") == true)
    #expect(problem?.isRefusal == false)
  }

  @Test("a work folder, which `*.pipeline` matches as well, is named by its store")
  func work() throws {
    let store = TemporaryFolder.url.path + "/Notes.sqlite"
    try Data().write(to: URL(filePath: store))
    try FileManager.default.createDirectory(
      atPath: store + ".pipeline", withIntermediateDirectories: false)
    let problem = #expect(throws: Problem.self) {
      try WrittenText.read(store + ".pipeline", as: "pipeline file")
    }
    #expect(
      problem?.message == "the file cannot be read: it is the work folder of the store Notes.sqlite"
    )
  }
}
