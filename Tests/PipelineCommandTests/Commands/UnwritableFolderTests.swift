import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Stores in a folder that the user who migrates them may only read.
@Suite("A folder that cannot be written", .temporaryFolder)
struct UnwritableFolderTests {
  private static var home: URL { TemporaryFolder.url.appending(path: "home") }

  /// A folder that can only be read, with the Notes sample, next to one that anybody may write.
  private static func lay(journal: String = "DELETE") throws {
    let manager = FileManager.default
    try manager.createDirectory(at: home, withIntermediateDirectories: false)
    try NotesSample.lay(in: home)
    try SampleStore.change(
      home.appending(path: "Notes.sqlite").path, by: "PRAGMA journal_mode = \(journal)")
    let free = TemporaryFolder.url.appending(path: "free")
    try manager.createDirectory(at: free, withIntermediateDirectories: false)
    try manager.setAttributes([.posixPermissions: 0o1777], ofItemAtPath: free.path)
    try manager.setAttributes([.posixPermissions: 0o555], ofItemAtPath: home.path)
    try manager.setAttributes(
      [.posixPermissions: 0o444], ofItemAtPath: home.appending(path: "Notes.sqlite").path)
  }

  /// Lets the folder be removed again.
  private static func leave() {
    try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: home.path)
  }

  private static func files() throws -> [String: Data] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: home.path)
    return Dictionary(
      uniqueKeysWithValues: names.map { name in
        (name, (try? Data(contentsOf: home.appending(path: name))) ?? Data())
      })
  }

  @Test(
    "a run is refused before the first write, with what to do, and that is what works",
    .enabled(if: OtherUser.isThere, Comment(rawValue: OtherUser.need)),
    arguments: ["DELETE", "WAL"])
  func run(journal: String) throws {
    try Self.lay(journal: journal)
    defer { Self.leave() }
    let before = try Self.files()
    let run = "export TMPDIR=$PWD/free; pipeline run home/notes.pipeline home/Notes.sqlite"
    for more in ["", " --work free/work"] {
      let refused = try OtherUser.shell(run + more)
      #expect(refused.status == 4, "\(refused)")
      #expect(refused.errors.contains("cannot be written"), "\(refused.errors)")
      #expect(refused.errors.contains("--output and --work"), "\(refused.errors)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: Self.free) == [])
    }
    let alone = try OtherUser.shell(run + " --output free/New.sqlite")
    #expect(alone.status == 4, "\(alone)")
    #expect(alone.errors.contains("--work"), "\(alone.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: Self.free) == [])
    let done = try OtherUser.shell(run + " --output free/New.sqlite --work free/work")
    #expect(done.status == 0, "\(done)")
    let look = try Tool.shell("pipeline inspect free/New.sqlite --models home/Notes.xcdatamodeld")
    #expect(look.output.contains("Notes 2"), "\(look)")
    #expect(try Self.files() == before)
  }

  @Test(
    "what only looks works, and a backup goes elsewhere",
    .enabled(if: OtherUser.isThere, Comment(rawValue: OtherUser.need)),
    arguments: ["DELETE", "WAL"])
  func look(journal: String) throws {
    try Self.lay(journal: journal)
    defer { Self.leave() }
    let before = try Self.files()
    for line in [
      "inspect home/Notes.sqlite", "plan home/notes.pipeline home/Notes.sqlite",
      "status home/Notes.sqlite",
      "diff home/Notes.sqlite home/Notes.sqlite --models home/Notes.xcdatamodeld",
      "backup home/Notes.sqlite free/kept",
    ] {
      let outcome = try OtherUser.shell("export TMPDIR=$PWD/free; pipeline \(line)")
      #expect(outcome.status == 0, "\(line): \(outcome)")
    }
    let refused = try OtherUser.shell("pipeline restore free/kept home/Notes.sqlite")
    #expect(refused.status == 4, "\(refused)")
    #expect(try Self.files() == before)
  }

  private static var free: String { TemporaryFolder.url.appending(path: "free").path }
}
