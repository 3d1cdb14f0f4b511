import CoreDataStore
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import pipeline

/// Gives the examples of each command's help, in a folder that has what they name.
@Suite("Examples in help", .temporaryFolder)
struct HelpExamplesTests {
  static let examples = Program.pipeline.commands.flatMap { command in
    command.examples.map { (command.path.joined(separator: " "), $0.line) }
  }

  /// A pipeline file with a param and a script `note.lua`, tests of it, and a store of many names.
  private static let ground = """
    mv notes_priority.lua note.lua
    (echo 'param "size" { default = 1 }'; sed s/notes_priority/note/ notes.pipeline) > p
    mv p notes.pipeline
    mkdir scripts reports
    case='case "a word" { given = { priority = "low" }, expect = { priority = -1 } }'
    (echo 'script "note.lua" { entity = "Note" }'; echo "$case") > note_test.lua
    (echo 'script "../note.lua" { entity = "Note", pipeline = "../notes.pipeline" }'
    echo "$case") > scripts/a_test.lua
    for name in App Cache; do cp Notes.sqlite $name.sqlite; done
    mkdir -p .config/fish/completions .zsh/completions usr/local/share/man/man1
    """
  private static let stores = """
    mkdir stores; cp Notes.sqlite stores/; echo stores/Notes.sqlite > stores.txt
    """
  private static let migrated = """
    pipeline backup Notes.sqlite before-update; mkdir backup; cp Notes.sqlite backup/
    pipeline run notes.pipeline Notes.sqlite --events a.events; cp a.events b.events
    """

  /// What waits for a save is ended once it has shown something.
  private static let untilShown = """
     > shown & for look in $(seq 300); do grep -q Note shown && break; sleep 0.1; done
    kill $!; grep Note shown
    """

  private static func preparation(of command: String) -> [String] {
    switch command {
    case "status", "rejects", "retry", "clean", "verify", "rollback": [migrated]
    case "fleet": [stores, migrated]
    case "restore":
      ["pipeline backup Notes.sqlite before-update; pipeline backup App.sqlite Cache.sqlite both"]
    case "trust":
      [
        #"echo 'stage "hook" { command = { "true" } }' >> notes.pipeline"#,
        "pipeline trust notes.pipeline",
      ]
    case "inspect", "run": [stores]
    case "diff":
      ["mkdir backup; for a in backup/Notes Notes Old New A B; do cp Store.sqlite $a.sqlite; done"]
    case "stages":
      [
        #"""
        mkdir stages
        echo 'return { name = "trim", summary = "Trims.", touches = { "Note.title" },
          run = function() end }' > stages/trim.lua
        """#
      ]
    case "model extract", "upgrade": ["cp Store.sqlite Notes.sqlite"]
    default: []
    }
  }

  @Test("can be given as they stand", arguments: examples)
  func given(command: String, line: String) throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    try Self.layApp(in: TemporaryFolder.url)
    for preparation in [Self.ground] + Self.preparation(of: command) {
      let outcome = try Tool.shell(preparation)
      #expect(outcome.status == 0, "\(outcome)")
    }
    // A folder of the system is one of the test's own, and there may be no pager.
    let own = line.replacing("/usr/", with: "usr/").replacing("| less", with: "| cat")
    let isEndless = line.hasSuffix(" --watch")
    let outcome = try Tool.shell(own + (isEndless ? Self.untilShown : ""), with: "bash")
    // Some have data that would be lost: what to give up is for the reader to say.
    let isAsked = outcome.status == 2 && outcome.errors.contains("Give it up with:")
    #expect(outcome.status < 2 || isAsked, "\(line): \(outcome)")
  }

  @Test("are those of most commands") func many() {
    #expect(Self.examples.count > 60)
    #expect(Set(Self.examples.map(\.0)).count > Program.pipeline.commands.count * 3 / 4)
  }

  /// What an app has: a store that keeps its model, two of SwiftData, models in every form.
  private static func layApp(in folder: URL) throws {
    let attributes = ["identifier", "status", "title"].map {
      #"<attribute name="\#($0)" optional="YES" attributeType="String"/>"#
    }
    let versions = [
      ("App", attributes.dropLast().joined()), ("App 2", attributes.joined()),
      (
        "App 3", attributes.joined() + #"<attribute name="c" attributeType="Date" optional="YES"/>"#
      ),
    ]
    func write(_ bytes: [UInt8], to path: String) throws {
      let file = folder.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: file)
    }
    for (name, inside) in versions {
      let body = "<entity name=\"Note\">\(inside)</entity>"
      let archive = try ModelArchive.bytes(of: ModelText.model(body, name: name))
      try write(archive, to: "App.momd/\(name).mom")
      try write(ModelText.xml(body), to: "App.xcdatamodeld/\(name).xcdatamodel/contents")
      switch name {
      case "App":
        for file in ["Old", "Notes"] { try write(archive, to: "\(file).momd/\(file).mom") }
        try SampleStore.make(
          of: ModelText.model(body, name: name), at: folder.appending(path: "Store.sqlite").path,
          contents: NewStoreContents(modelCache: .archive(archive)),
          adding: "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZSTATUS) VALUES (1, 1, 1, 'open')")
      case "App 2": try write(archive, to: "New.momd/New.mom")
      default: break
      }
    }
    let mapping = """
      <database><object type="XDDEVMAPPINGMODEL" id="m">
      <attribute name="sourcemodelpath">App.xcdatamodeld/App.xcdatamodel</attribute>
      <attribute name="destinationmodelpath">App.xcdatamodeld/App 2.xcdatamodel</attribute>
      <relationship name="entitymappings" idrefs="e"></relationship></object>
      <object type="XDDEVENTITYMAPPING" id="e"><attribute name="sourcename">Note</attribute>
      <attribute name="destinationname">Note</attribute></object></database>
      """
    try write(Array(mapping.utf8), to: "1to2.xcmappingmodel/xcmapping.xml")
    try AppStores.laySwiftData(in: folder)
  }
}
