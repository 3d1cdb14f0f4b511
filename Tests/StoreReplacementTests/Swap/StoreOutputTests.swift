import CoreDataStore
import Foundation
import OperatingSystem
import SQLite
import StoreReplacement
import TestSupport
import Testing

@Suite("The new store at a place of its own", .temporaryFolder) struct StoreOutputTests {
  private func place(_ sample: SwapSample, at output: String, journal: String = "delete") throws {
    let state = try #require(try RunState.read(sample.folder))
    #expect(
      try StoreOutput.place(sample.folder, state, at: output, journal: journal).isEmpty)
  }

  @Test(
    "a store that is on top of another one is one file there", arguments: ["wal", "delete"])
  func layered(journal: String) throws {
    let sample = try SwapSample(isLayered: true)
    let output = samplePath("out.sqlite")
    try place(sample, at: output, journal: journal)
    #expect(try DatabaseFile.examine(output).header.isWAL == (journal == "wal"))
    #expect(!FileManager.default.fileExists(atPath: output + "-wal"))
    let made = try Connection(path: output, mode: .own(create: false))
    #expect(try made.pageImage() == RunState.read(sample.folder)?.next)
    #expect(try made.problems(.full) == [])
    #expect(try made.setJournalMode("DELETE") == "delete")
  }

  @Test("a store that this program made gets there with its large values, in one file")
  func made() throws {
    let made = samplePath("made.sqlite")
    let connection = try Connection(path: made, mode: .own(create: true))
    try connection.execute(
      "PRAGMA journal_mode = WAL; CREATE TABLE a (b); INSERT INTO a VALUES (7)")
    try connection.close()
    try SwapSample.lay([SwapSample.both], in: StoreFiles(made).externalDataFolder)
    let output = samplePath("out.sqlite")
    try StoreOutput.place(made: made, at: output)
    let copy = try Connection(path: output, mode: .own(create: false))
    #expect(try copy.integer("SELECT b FROM a") == 7)
    try copy.close()
    let names = try FileManager.default.contentsOfDirectory(atPath: TemporaryFolder.url.path)
    #expect(names.sorted() == [".made_SUPPORT", ".out_SUPPORT", "made.sqlite", "out.sqlite"])
    let before = try Data(contentsOf: URL(filePath: output))
    #expect(throws: Failure.self) { try StoreOutput.place(made: made, at: output) }
    #expect(try Data(contentsOf: URL(filePath: output)) == before)
  }

  @Test("a store that is not what was sealed is not put there") func changed() throws {
    let sample = try SwapSample(isLayered: true)
    let next = try Connection(path: sample.folder.nextPath, mode: .own(create: false))
    try next.execute("DELETE FROM ZPERSON WHERE Z_PK = 7")
    try next.close()
    let output = samplePath("out.sqlite")
    #expect(throws: Failure.self) { try place(sample, at: output) }
    #expect(!FileManager.default.fileExists(atPath: output))
    #expect(try sample.content() == "old")
  }

  @Test("what a killed process left of a large value goes") func unfinished() throws {
    let sample = try SwapSample()
    let output = samplePath("out.sqlite")
    let files = samplePath(".out_SUPPORT/_EXTERNAL_DATA")
    try SwapSample.lay([SwapSample.onlyNew], in: files)
    try SwapSample.lay(["\(SwapSample.onlyNew).pipeline-part"], in: files)
    try place(sample, at: output)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: files).sorted() == [
        SwapSample.both, SwapSample.onlyNew,
      ])
  }

  @Test("while another process puts a store there, nothing is written and nothing removed")
  func another() throws {
    let sample = try SwapSample()
    let output = samplePath("out.sqlite")
    try Data("half of another".utf8).write(to: URL(filePath: output + ".pipeline-part"))
    guard let lock = try OpenDescriptor.taking(output + ".pipeline-lock") else {
      throw SystemError.locked
    }
    let failure = #expect(throws: Failure.self) { try place(sample, at: output) }
    #expect(failure?.kind == .busy)
    #expect(try Data(contentsOf: URL(filePath: output + ".pipeline-part")).count == 15)
    #expect(!FileManager.default.fileExists(atPath: output))
    lock.unlock()
    try place(sample, at: output)
    let left = try FileManager.default.contentsOfDirectory(atPath: TemporaryFolder.url.path)
    #expect(left.filter { $0.contains(".pipeline-") && $0.hasPrefix("out") }.isEmpty)
  }

  @Test("a file that has the name of the lock, and something in it, stays")
  func foreignLock() throws {
    let sample = try SwapSample()
    let output = samplePath("out.sqlite")
    let other = URL(filePath: output + ".pipeline-lock")
    try Data("somebody's".utf8).write(to: other)
    #expect(throws: Failure.self) { try place(sample, at: output) }
    #expect(try String(contentsOf: other, encoding: .utf8) == "somebody's")
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  @Test("it is whole there, and the old one is as it was")
  func place() throws {
    let sample = try SwapSample(journal: "WAL")
    let old = try sample.image()
    let output = samplePath("out put.sqlite")
    try place(sample, at: output)
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
    #expect(throws: Failure.self) { try place(sample, at: output) }
    #expect(try FolderState() == before)
  }

  @Test("a folder that is not there is not made", arguments: ["none/out.sqlite", "", "x/.."])
  func noFolder(name: String) throws {
    let sample = try SwapSample()
    let path = name.isEmpty ? "" : samplePath(name)
    #expect(throws: Failure.self) { try place(sample, at: path) }
  }
}
