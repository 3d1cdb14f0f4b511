import CoreDataStore
import Foundation
import SQLite
import StoreReplacement
import TestSupport
import Testing

@Suite("The new store at a place of its own", .temporaryFolder) struct StoreOutputTests {
  @Test("it is whole there, and the old one is as it was")
  func place() throws {
    let sample = try SwapSample(journal: "WAL")
    let old = try sample.image()
    let output = samplePath("out put.sqlite")
    try StoreOutput.place(sample.folder, at: output)
    let files = try StoreFiles(output)
    #expect(
      try SwapSample.content(of: output, externals: files.externalDataFolder) == "new")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: files.externalDataFolder).sorted() == [
        SwapSample.both, SwapSample.onlyNew,
      ])
    #expect(try sample.image() == old)
    #expect(try sample.content() == "old")
  }

  @Test("nothing that is there is written over", arguments: ["", "-wal", "-journal", "support"])
  func refusal(what: String) throws {
    let sample = try SwapSample()
    let output = samplePath("out.sqlite")
    let path = what == "support" ? samplePath(".out_SUPPORT") : output + what
    try Data("mine".utf8).write(to: URL(filePath: path))
    let before = try FolderState()
    #expect(throws: Failure.self) { try StoreOutput.place(sample.folder, at: output) }
    #expect(try FolderState() == before)
  }

  @Test("a folder that is not there is not made", arguments: ["none/out.sqlite", "", "x/.."])
  func noFolder(name: String) throws {
    let sample = try SwapSample()
    let path = name.isEmpty ? "" : samplePath(name)
    #expect(throws: Failure.self) { try StoreOutput.place(sample.folder, at: path) }
  }
}
