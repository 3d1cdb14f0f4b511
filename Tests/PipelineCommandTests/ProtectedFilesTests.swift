import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import pipeline

/// What an option of any command does to a file of the user's: nothing.
@Suite("Options that write, given a file of the user's", .temporaryFolder)
struct ProtectedFilesTests {
  /// The Notes sample, with a second store, a backup, a letter, and a pipeline with stages that
  /// write.
  private static func lay() throws {
    let folder = TemporaryFolder.url
    try NotesSample.lay(in: folder)
    let manager = FileManager.default
    try manager.copyItem(
      at: folder.appending(path: "Notes.sqlite"), to: folder.appending(path: "Other.sqlite"))
    try manager.linkItem(
      at: folder.appending(path: "Notes.sqlite"), to: folder.appending(path: "hard.json"))
    try manager.createSymbolicLink(
      atPath: folder.appending(path: "link.html").path, withDestinationPath: "Notes.sqlite-wal")
    try Data("dear me\n".utf8).write(to: folder.appending(path: "letter"))
    let made = try Tool.shell("pipeline backup Other.sqlite kept")
    #expect(made.status == 0, "\(made.errors)")
    let text = try String(
      contentsOf: folder.appending(path: "notes.pipeline"), encoding: .utf8)
    for (name, stage) in [
      ("reporting", #"stage "report" { to = "hard.json" }"#),
      ("backing", #"stage "backup" { to = "kept/again" }"#),
    ] {
      let changed = text.replacing("stage \"swap\"", with: "\(stage)\nstage \"swap\"")
      #expect(changed != text)
      try changed.write(
        to: folder.appending(path: "\(name).pipeline"), atomically: true, encoding: .utf8)
    }
  }

  /// Every file with its content, the digests of names that come and go left out.
  private static func files() throws -> [String: Data] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: TemporaryFolder.url.path)
    return Dictionary(
      uniqueKeysWithValues: names.map { name in
        (name, (try? Data(contentsOf: TemporaryFolder.url.appending(path: name))) ?? Data())
      })
  }

  private static let run = "pipeline run notes.pipeline Other.sqlite"

  @Test(
    "is refused with status 2, named, and nothing is changed",
    arguments: [
      ("\(run) --events Other.sqlite", "--events"), ("\(run) --events letter", "--events"),
      ("\(run) --events notes_priority.lua", "--events"),
      ("\(run) --events Other.sqlite-wal", "--events"),
      ("\(run) --events kept/manifest.json", "--events"),
      ("\(run) Notes.sqlite --events hard.json", "--events"),
      ("\(run) --report Other.sqlite.pipeline/r.html", "--report"),
      ("\(run) --report kept/r.html", "--report"),
      ("\(run) --report Notes.xcdatamodeld/r.md", "--report"),
      ("\(run) Notes.sqlite --report link.html", "--report"),
      ("\(run) --output Other.sqlite", "--output"),
      ("\(run) --output Other.sqlite-journal", "--output"),
      ("\(run) --output kept/New.sqlite", "--output"),
      ("\(run) --output .Other_SUPPORT/New.sqlite", "--output"),
      ("\(run) --dry-run --keep kept/New.sqlite", "--keep"),
      ("\(run) --dry-run --keep Other.sqlite-wal", "--keep"),
      ("\(run) --work kept", "--work"), ("\(run) --work .Other_SUPPORT", "--work"),
      ("\(run) --work Other.sqlite", "--work"), ("\(run) --work letter", "--work"),
      ("pipeline run reporting.pipeline Notes.sqlite", "stage \"report\""),
      ("pipeline run backing.pipeline Other.sqlite", "stage \"backup\""),
      ("pipeline upgrade Other.sqlite --models Notes.xcdatamodeld --events letter", "--events"),
      ("pipeline retry Other.sqlite --events Other.sqlite", "--events"),
      ("pipeline resume Other.sqlite --events Other.sqlite", "--events"),
      ("pipeline verify Other.sqlite --against kept --events kept/x", "--events"),
      ("pipeline backup Notes.sqlite kept/again", "DEST"),
      ("pipeline backup Notes.sqlite .Notes_SUPPORT/again", "DEST"),
      ("pipeline model extract Notes.sqlite -o .Notes_SUPPORT/A.xcdatamodel", "--output"),
      ("pipeline model diff Notes.xcdatamodeld --from Notes --html kept/a.html", "--html"),
      ("pipeline diff Notes.sqlite Other.sqlite --report kept/a.html", "--report"),
      ("pipeline new --models Notes.xcdatamodeld --from Notes -o Notes.xcdatamodeld/x", "--output"),
      ("pipeline types notes.pipeline -o Notes.xcdatamodeld", "--output"),
      ("pipeline sample wal-trap kept/trap --size small", "DIR"),
      ("pipeline sample from Other.sqlite -o Other.sqlite", "--output"),
      ("pipeline sample from Notes.sqlite -o Notes.sqlite-journal", "--output"),
      ("pipeline sample from Notes.sqlite -o kept/New.sqlite", "--output"),
      ("pipeline sample from Other.sqlite -o .Other_SUPPORT/New.sqlite", "--output"),
      ("pipeline test . --keep kept/stores", "--keep"),
      ("pipeline test . --junit Other.sqlite", "--junit"),
      ("pipeline test . --junit letter", "--junit"),
      ("pipeline abandon Other.sqlite --work letter", "--work"),
      ("pipeline status Other.sqlite --work kept", "--work"),
      ("pipeline restore kept New.sqlite --work kept", "--work"),
    ])
  func refused(line: String, name: String) throws {
    try Self.lay()
    let before = try Self.files()
    let said = try Tool.shell(line)
    #expect(said.status == 2, "\(said.output)\(said.errors)")
    #expect(said.output == "")
    #expect(
      said.errors.hasPrefix("pipeline: cannot write to the path of \(name)"), "\(said.errors)")
    #expect(try Self.files() == before)
  }

  @Test(
    "a run on a backup's own file, or a restoring into one, is refused",
    arguments: [
      "pipeline run notes.pipeline kept/Other.sqlite",
      "pipeline run notes.pipeline kept/Other.sqlite --output New.sqlite",
      "pipeline upgrade kept/Other.sqlite --models Notes.xcdatamodeld --to Notes --force",
      "pipeline retry kept/Other.sqlite", "pipeline rollback kept/Other.sqlite",
      "pipeline restore kept kept/Other.sqlite", "pipeline restore kept kept/New.sqlite",
      "pipeline restore kept link --force",
    ])
  func backup(line: String) throws {
    try Self.lay()
    try FileManager.default.createSymbolicLink(
      atPath: TemporaryFolder.url.appending(path: "link").path,
      withDestinationPath: "kept/Other.sqlite")
    let before = try Self.files()
    let said = try Tool.shell(line)
    #expect(said.status == 2, "\(said.output)\(said.errors)")
    #expect(said.errors.contains("It is a file of the backup "), "\(said.errors)")
    #expect(try Self.files() == before)
    let read = try Tool.shell(
      "pipeline run notes.pipeline kept/Other.sqlite --work w --output New.sqlite")
    #expect(read.status == 0, "\(read.errors)")
  }

  @Test("a second run appends to the events of the first") func events() throws {
    try Self.lay()
    let line = "pipeline run notes.pipeline Other.sqlite --dry-run --events events"
    #expect(try Tool.shell(line).status == 0)
    let first = try Data(contentsOf: TemporaryFolder.url.appending(path: "events")).count
    #expect(try Tool.shell(line).status == 0)
    let both = try Data(contentsOf: TemporaryFolder.url.appending(path: "events")).count
    #expect(both > first && first > 0)
  }

  @Test("all arguments that are written to are declared") func declared() {
    let written = Program.pipeline.commands.flatMap { command in
      (command.arguments + command.shared).compactMap { form -> String? in
        guard case .written(let kind) = form.content else { return nil }
        return "\(command.path.joined(separator: " ")) \(form.spelling) \(kind)"
      }
    }.filter { !$0.hasSuffix("--work work") && !$0.hasSuffix("--events events") }
    #expect(
      written.sorted() == [
        "backup DEST folder", "diff --report new", "fleet --report new",
        "inspect --extract folder", "model diff --html new", "model diff --sarif new",
        "model extract --output folder", "new --output folder", "plan --report new",
        "run --keep store",
        "run --output store", "run --report new", "sample DIR folder",
        "sample from --output store", "test --junit results", "test --keep folder",
        "types --output folder", "upgrade --keep store", "upgrade --output store",
        "upgrade --report new",
      ])
  }
}
