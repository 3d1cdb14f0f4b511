import CoreDataStore
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import StorePipeline

@Suite("Files that are not written to", .temporaryFolder)
struct ProtectedFilesTests {
  private static func path(_ name: String) -> String {
    TemporaryFolder.url.appending(path: name).path
  }

  /// What is said of a path that an option names; nil when it may be written to.
  private static func why(
    _ name: String, _ form: WrittenFile.Form, besides stores: [String] = ["Notes.sqlite"]
  ) throws -> String? {
    var files = ProtectedFiles()
    for store in stores { files.protect(store: path(store)) }
    files.protect(try PipelineFile(path: path("notes.pipeline")).pipeline())
    do {
      try files.check(WrittenFile(path(name), "--option", form))
      return nil
    } catch {
      #expect(error.kind == .misuse)
      #expect(error.what == "cannot write to the path of --option")
      #expect(error.subject == path(name))
      // What was found there is named by its path with all links resolved.
      return error.why.replacing(FilePlace(TemporaryFolder.url.path).path + "/", with: "")
        .replacing(TemporaryFolder.url.path + "/", with: "")
    }
  }

  @Test(
    "a store and what belongs to it are refused, by any name",
    arguments: [
      ("Notes.sqlite", "It is the store Notes.sqlite."),
      ("link", "It is the store Notes.sqlite."), ("hard", "It is the store Notes.sqlite."),
      ("Notes.sqlite-wal", "It is a part of the store Notes.sqlite."),
      ("wal", "It is a part of the store Notes.sqlite."),
      ("Notes.sqlite-journal", "It is a part of the store Notes.sqlite."),
      (".Notes_SUPPORT/_EXTERNAL_DATA/x", "It is in a part of the store Notes.sqlite."),
      ("Notes.sqlite.pipeline/run/x", "It is in the work folder of Notes.sqlite."),
      ("notes.pipeline", "It is what this command reads: notes.pipeline."),
      ("notes_priority.lua", "It is what this command reads: notes_priority.lua."),
      ("Notes.xcdatamodeld/x", "It is in what this command reads: Notes.xcdatamodeld."),
    ], [WrittenFile.Form.new, .events, .results, .store, .folder])
  func refused(of known: (name: String, why: String), form: WrittenFile.Form) throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    let manager = FileManager.default
    try manager.createSymbolicLink(
      atPath: Self.path("link"), withDestinationPath: "Notes.sqlite")
    try manager.createSymbolicLink(
      atPath: Self.path("wal"), withDestinationPath: "Notes.sqlite-wal")
    try manager.linkItem(atPath: Self.path("Notes.sqlite"), toPath: Self.path("hard"))
    #expect(try Self.why(known.name, form) == known.why)
  }

  @Test("a backup is refused with all that is in it, damaged or not") func backups() throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    let store = Self.path("Notes.sqlite")
    _ = try StoreRecovery.backUp([store], to: Self.path("one"))
    try FileManager.default.copyItem(atPath: store, toPath: Self.path("Other.sqlite"))
    _ = try StoreRecovery.backUp([store, Self.path("Other.sqlite")], to: Self.path("both"))
    for name in ["one", "both", "both/Other.sqlite"] {
      let backup = "the backup \(name)."
      #expect(try Self.why(name, .folder) == "It is \(backup)")
      #expect(try Self.why("\(name)/new/x", .store) == "It is in \(backup)")
    }
    let manifest = URL(filePath: Self.path("one/manifest.json"))
    let text = try String(contentsOf: manifest, encoding: .utf8)
    try text.replacing("\"sha256\"", with: "\"sha25\"").write(
      to: manifest, atomically: true, encoding: .utf8)
    #expect(try Self.why("one/x", .new) == "It is in the backup one.")
    try Data("{\"format\": 1, \"name\": \"web\"}".utf8).write(to: manifest)
    #expect(try Self.why("one/x", .new) == nil)
  }

  @Test("another store of the same command is refused, and a free path is not")
  func others() throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    let stores = ["Notes.sqlite", "Later.sqlite"]
    #expect(try Self.why("Later.sqlite", .new, besides: stores) == "It is the store Later.sqlite.")
    for form in [WrittenFile.Form.new, .store, .folder, .work, .events, .results] {
      #expect(try Self.why("new", form) == nil)
    }
  }

  @Test("the -wal of a file that no word names is refused, too") func suffixes() throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    let why = try Self.why("Notes.sqlite-wal", .new, besides: [])
    #expect(why == "SQLite would take it for a part of Notes.sqlite.")
    #expect(try Self.why("None.sqlite-wal", .new, besides: []) == nil)
  }

  @Test("the large values of a new store do not come to lie among those of another")
  func support() throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    #expect(try Self.why("Notes.new", .store) == nil)
    try FileManager.default.createDirectory(
      atPath: Self.path(".Notes_SUPPORT"), withIntermediateDirectories: false)
    #expect(
      try Self.why("Notes.new", .store)
        == "Its external values would be put into a part of the store Notes.sqlite.")
    #expect(try Self.why("Notes.new", .new) == nil)
  }

  @Test(
    "events are appended to events alone, and results written over results alone",
    arguments: [
      ("", WrittenFile.Form.events, true), ("", .results, true), ("text\n", .events, false),
      ("{\"event\": \"party\", \"run\": \"\"}\n", .events, false),
      ("{\"name\": \"run-started\"}", .events, false), ("SQLite format 3", .results, false),
      ("<?xml version=\"1.0\"?>\n<plist/>", .results, false),
      ("<?xml version=\"1.0\"?>\n<testsuites/>", .results, true),
      ("Note 1\n  title = a\n", .golden, true), ("dear me\n", .golden, false),
      (
        ProgressEvent(.runStarted, time: Date(), run: "r", store: "s").json + "\nmore",
        .events, true
      ),
    ])
  func contents(text: String, form: WrittenFile.Form, isAllowed: Bool) throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    try Data(text.utf8).write(to: URL(filePath: Self.path("file")))
    #expect(try (Self.why("file", form) == nil) == isAllowed)
  }

  @Test("a work folder is a folder, and its folder run is a run's") func work() throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    #expect(try Self.why("Notes.sqlite.pipeline", .work) == nil)
    #expect(
      try Self.why("Notes.sqlite.pipeline/run", .work)
        == "It is in the work folder of Notes.sqlite.")
    try Data().write(to: URL(filePath: Self.path("file")))
    #expect(try Self.why("file", .work) == "It is there already, and is no folder.")
    try FileManager.default.createDirectory(
      atPath: Self.path("mine/run"), withIntermediateDirectories: true)
    #expect(try Self.why("mine", .work) == nil)
    for name in ["letter.txt", "package-lock.json", "my.sqlite", "steps"] {
      try Data("x".utf8).write(to: URL(filePath: Self.path("mine/run/\(name)")))
      #expect(try Self.why("mine", .work) == "Its folder run is not of this program.")
    }
    try Data().write(to: URL(filePath: Self.path("mine/run/lock")))
    #expect(try Self.why("mine", .work) == nil)
  }
}
