import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Tests of scripts", .temporaryFolder)
struct ScriptTestsTests {
  /// Runs tests of the sample's script, or of another one.
  private func run(
    _ tests: String, script: String? = nil, updates: Bool = false,
    header: String =
      "script \"notes_priority.lua\" { entity = \"Note\", pipeline = \"notes.pipeline\" }\n"
  ) async throws -> TestSummary {
    let folder = TemporaryFolder.url
    if !FileManager.default.fileExists(atPath: folder.appending(path: "Notes.sqlite").path) {
      try NotesSample.lay(in: folder)
    }
    if let script {
      try Data(script.utf8).write(to: folder.appending(path: "notes_priority.lua"))
    }
    let file = folder.appending(path: "a_test.lua")
    try Data((header + tests).utf8).write(to: file)
    return try await ScriptTests([file.path], TestSettings(updatesGolden: updates)).run()
  }

  @Test("with a folder to keep them in, each test leaves its store there, a migration two")
  func kept() async throws {
    _ = try await run(
      """
      case 'a' { \(Self.given), expect = { priority = 1 } }
      property 'p' { objects = 3, allow = 'no' }
      migration 'tags / labels' { pipeline = "notes.pipeline",
        store = { Tag = { a = { name = "shop" } } }, expect = { Label = { { name = "shop" } } } }
      """)
    let folder = samplePath("kept")
    let settings = TestSettings(keep: folder)
    let summary = try await ScriptTests([samplePath("a_test.lua")], settings).run()
    #expect(summary.failed == 0 && summary.problems == [], "\(summary.results.map(\.failure))")
    let all = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    let names = all.filter { $0.hasSuffix(".sqlite") }
    let ends = [
      "a_test-2-a", "a_test-3-p", "a_test-4-tags-labels-migrated", "a_test-4-tags-labels",
    ]
    try #require(names.count == 4 && all.count == 5)
    for (name, end) in zip(names, ends) {
      #expect(name.hasSuffix("\(end).sqlite"), "\(name)")
      _ = try Store("\(folder)/\(name)")
    }
    let tags = try StoreRows.read("SELECT ZNAME FROM ZTAG", at: "\(folder)/\(names[3])")
    #expect(tags == ["shop"])
    // The next tests replace these stores, nothing else, and none that was changed.
    try Data("mine".utf8).write(to: URL(filePath: "\(folder)/mine.sqlite"))
    let again = try await ScriptTests([samplePath("a_test.lua")], settings).run()
    #expect(again.failed == 0 && again.problems == [])
    let now = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(now == (all + ["mine.sqlite"]).sorted())
    #expect(try Data(contentsOf: URL(filePath: "\(folder)/mine.sqlite")) == Data("mine".utf8))
    try StoreRows.change("UPDATE ZTAG SET ZNAME = 'x'", at: "\(folder)/\(names[3])")
    await #expect(throws: Failure.self) {
      try await ScriptTests([samplePath("a_test.lua")], settings).run()
    }
    #expect(try StoreRows.read("SELECT ZNAME FROM ZTAG", at: "\(folder)/\(names[3])") == ["x"])
  }

  @Test("a folder with something else in it is left alone") func takenFolder() async throws {
    _ = try await run("case 'a' { \(Self.given), expect = { priority = 1 } }")
    let folder = samplePath("taken")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: URL(filePath: "\(folder)/a.txt"))
    let before = try FolderState(folder)
    await #expect(throws: Failure.self) {
      try await ScriptTests([samplePath("a_test.lua")], TestSettings(keep: folder)).run()
    }
    #expect(try FolderState(folder) == before)
  }

  @Test("objects that break a rule of the store are the test's own: there is nothing to restore")
  func alike() async throws {
    let folder = TemporaryFolder.url.appending(path: "U.xcdatamodeld")
    for name in ["U", "U 2"] {
      let body = """
        <entity name="A"><attribute name="a" attributeType="String"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="a"/>
        </uniquenessConstraint></uniquenessConstraints></entity>
        <entity name="\(name == "U" ? "B" : "C")" elementID="B"/>
        """
      let version = folder.appending(path: "\(name).xcdatamodel")
      try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
      try Data(ModelText.xml(body)).write(to: version.appending(path: "contents"))
    }
    let pipeline = """
      pipeline "U" { format = 1, models = "U.xcdatamodeld", accept = { "U" }, target = "U 2" }
      stage "copy" { accept_loss = "*" } stage "swap" {}
      """
    try Data(pipeline.utf8).write(to: TemporaryFolder.url.appending(path: "u.pipeline"))
    let lines = try await failure(
      """
      migration 'two' { pipeline = "u.pipeline",
        store = { A = { one = { a = "x" }, two = { a = "x" } } }, expect = {} }
      """)
    #expect(lines.contains { $0.contains("UNIQUE constraint failed") }, "\(lines)")
    #expect(lines.last == "The test makes this store: correct the objects that it gives.")
  }

  /// What is wrong with the only test.
  private func failure(_ tests: String, script: String? = nil) async throws -> [String] {
    let summary = try await run(tests, script: script)
    #expect(summary.problems == [])
    #expect(summary.results.count == 1)
    #expect(summary.status == (summary.failed > 0 ? 1 : 0))
    return summary.results.first?.failure ?? ["no result"]
  }

  private static let given = #"given = { title = "Milk", created = 0, priority = "high" }"#

  @Test("a case passes when the script makes what is expected")
  func passing() async throws {
    #expect(try await failure("case 'a' { \(Self.given), expect = { priority = 1 } }") == [])
    #expect(
      try await failure("case 'a' { \(Self.given), expect = { Note = { { title = 'Milk' } } } }")
        == [])
  }

  @Test("a wrong value is reported with the expected one")
  func wrongValue() async throws {
    #expect(
      try await failure("case 'a' { \(Self.given), expect = { priority = 2, title = 'Milk' } }")
        == ["Note 1, priority", "  expected  2", "  got       1"])
    #expect(
      try await failure("case 'a' { \(Self.given), expect = { priorty = 2 } }")
        == ["Note has no 'priorty'; did you mean priority?"])
    #expect(
      try await failure("case 'a' { \(Self.given), expect = { priority = 'x' } }")
        == ["Note.priority: it is an Integer 16 and was given a string; write tonumber(x)"])
  }

  @Test("too few objects and too many are reported")
  func counts() async throws {
    let skips =
      "return { attributes = { priority = 1 }, "
      + "create = function(note, new, ctx) ctx.skip('no') end }"
    #expect(
      try await failure("case 'a' { \(Self.given), expect = { priority = 1 } }", script: skips)
        == ["expected  one object", "got       0 objects"])
    #expect(try await failure("case 'a' { \(Self.given), expect = {} }", script: skips) == [])
    let twice = """
      return {
        creates = { "Note", "Attachment" }, attributes = { priority = 1 },
        create = function(note, new)
          local copy = new.Note(note)
          new.Attachment { fileName = "f", note = copy }
        end,
      }
      """
    let lines = try await failure(
      "case 'a' { \(Self.given), expect = { Note = { {} } } }", script: twice)
    #expect(lines == ["made besides", #"Attachment 1 { fileName = "f", note = Note 1 }"#])
    #expect(
      try await failure(
        "case 'a' { \(Self.given), expect = { Note = { attachments = { { fileName = 'f' } } }, "
          + "Attachment = { note = { title = 'Milk' } } } }", script: twice) == [])
  }

  @Test("an error is expected by a part of its message, and reported in full otherwise")
  func errors() async throws {
    let huge = #"given = { title = "Milk", created = 0, priority = "huge" }"#
    #expect(try await failure("case 'a' { \(huge), error = 'no priority' }") == [])
    let lines = try await failure("case 'a' { \(huge), error = 'no such word' }")
    #expect(lines.first == #"expected  an error with "no such word""#)
    #expect(lines.dropFirst().first?.contains("notes_priority.lua:8:") == true)
    #expect(
      try await failure("case 'a' { \(Self.given), error = 'no' }").last == "got       no error")
    let other = try await failure("case 'a' { \(huge), expect = { priority = 1 } }")
    #expect(other.contains { $0.contains("there is no priority 'huge'") })
    #expect(other.contains { $0.contains("return numbers[priority]") })
  }

  @Test("a warning can be expected")
  func warnings() async throws {
    let script = """
      return { attributes = { priority = 0 }, begin = function(ctx) ctx.warn("take care") end }
      """
    #expect(try await failure("case 'a' { \(Self.given), warning = 'care' }", script: script) == [])
    #expect(
      try await failure("case 'a' { \(Self.given), warning = 'x' }")
        == [#"expected  a warning with "x""#, "got       take care"])
  }

  @Test("a golden file is compared line by line and written when that is asked for")
  func golden() async throws {
    let tests = "case 'a' { \(Self.given), golden = 'golden/a.txt' }"
    let path = TemporaryFolder.url.appending(path: "golden/a.txt").path
    #expect(try await failure(tests).first?.hasPrefix("there is no golden file") == true)
    #expect(try await run(tests, updates: true).passed == 1)
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains("  priority = 1\n"))
    #expect(try await failure(tests) == [])
    let altered = try String(contentsOfFile: path, encoding: .utf8)
      .replacing("priority = 1", with: "priority = 2")
    try Data(altered.utf8).write(to: URL(filePath: path))
    let lines = try await failure(tests)
    #expect(lines.count { $0.hasSuffix("expected   priority = 2") } == 1)
    #expect(lines.count { $0.hasSuffix("got        priority = 1") } == 1)
  }

  @Test("a property finds the object for which it does not hold")
  func property() async throws {
    let lines = try await failure("property 'a' { objects = 20 }")
    #expect(lines.contains { $0.contains("there is no priority") })
    #expect(lines.contains { $0.hasPrefix("  given Note ") })
    for allowed in ["'no priority'", "{ 'none', 'no priority' }"] {
      #expect(try await failure("property 'a' { objects = 20, allow = \(allowed) }") == [])
    }
    let none = try await failure(
      "property 'a' { objects = 30, allow = 'no priority', check = function(n, made) "
        + "return made[1].priority == 7, 'not seven' end }")
    #expect(none.first == "not seven")
  }

  @Test("a pipeline without a stage swap is tested by the store that it makes")
  func staged() async throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    let text = try String(contentsOfFile: samplePath("notes.pipeline"), encoding: .utf8)
    try Data(text.replacing("stage \"swap\" {}", with: "").utf8)
      .write(to: URL(filePath: samplePath("staged.pipeline")))
    let summary = try await run(
      """
      migration 'a' { pipeline = "staged.pipeline",
        store = { Tag = { a = { name = "shop" } } }, expect = { Label = { { name = "shop" } } } }
      """)
    #expect(summary.results.count == 1 && summary.failed == 0 && summary.problems == [])
  }

  @Test("a migration goes through the whole pipeline")
  func migration() async throws {
    let store = """
      store = { Note = { a = { title = "Milk", created = 0, folder = "home", tags = { "x" } } },
        Folder = { home = { name = "Home" } }, Tag = { x = { name = "shop" } } }
      """
    #expect(
      try await failure(
        "migration 'a' { \(store), expect = { Label = { notes = { { title = 'Milk' } } } } }") == []
    )
    #expect(
      try await failure("migration 'a' { \(store), expect = { Label = {} } }")
        == [
          "Label", "  expected  0 objects", "  got       1 object",
          #"  Label 1 { name = "shop", notes = { Note 1 } }"#,
        ])
    #expect(
      try await failure("migration 'a' { \(store), expect = { Labl = {} } }")
        == ["'Notes 2' has no entity 'Labl'; did you mean 'Label'?"])
    let huge = store.replacing("created = 0", with: "created = 0, priority = 'huge'")
    #expect(try await failure("migration 'a' { \(huge), error = 'no priority' }") == [])
  }

  @Test(
    "what a fixture says wrongly is reported with the nearest name",
    arguments: [
      ("given = { titel = 'x' }", "given: Note has no 'titel'; did you mean title?"),
      ("given = { done = 1 }", "given.done: it is a Boolean and was given a number; write x ~= 0"),
      ("given = { folder = 'home' }", "given.folder: no Folder is labelled 'home'"),
      ("given = object 'Nota' {}", "Notes has no entity 'Nota'; did you mean Note?"),
      ("given = { folder = 1.5 }", "given.folder: a relationship takes an object's table or label"),
    ])
  func fixtures(given: String, message: String) async throws {
    #expect(try await failure("case 'a' { \(given), expect = {} }") == [message])
  }

  @Test(
    "a file that does not load is a problem with its line",
    arguments: [
      (
        "case 'a' { given = {}, expct = {} }", 2,
        "'case' has no option 'expct'; did you mean 'expect'?"
      ),
      ("case 'a' { given = {} }", 2, "a case needs 'expect', 'error', 'warning' or 'golden'"),
      ("case 'a' { expect = {} }", 2, "a case needs 'given', the object it is about"),
      ("\ncase 'a'", 3, "case \"a\" has no table behind it"),
      (
        "case { given = {} }", 2,
        "'case' needs a name in quotes, not a table: case \"name\" { ... }"
      ),
      ("property 'a' { check = 1 }", 2, "option 'check' must be a function, not a number"),
      ("cas 'a' {}", 2, "unknown name 'cas'; did you mean 'case'?"),
      (
        "test 'a' {}", 2,
        "unknown name 'test'; a test is a case, a property or a migration: "
          + "case \"name\" { given = { ... }, expect = { ... } }"
      ),
      (
        "case 'a' { author = 'x', expect = {} }", 2,
        "'case' has no option 'author'; the object's values stand in given = { ... }"
      ),
      ("", 0, "the file has no tests: case \"...\" { given = { ... }, expect = { ... } }"),
    ])
  func problems(text: String, line: Int, message: String) async throws {
    let summary = try await run(text)
    #expect(summary.status == 2)
    #expect(summary.problems.map(\.message) == [message])
    #expect(summary.problems.map(\.line) == [line])
  }

  @Test("a script is tested between two versions without a pipeline file, too")
  func versions() async throws {
    let header = """
      script "notes_priority.lua" {
        models = "Notes.xcdatamodeld", from = "Notes", to = "Notes 2",
      }

      """
    let tests = "case 'a' { \(Self.given), expect = { priority = 1 } }"
    #expect(try await run(tests, header: header).passed == 1)
    let wrong = try await run(
      tests, script: "return { attributes = { prio = 1 } }", header: header)
    #expect(wrong.status == 2)
    #expect(wrong.problems.first?.message.contains("no attribute 'prio'") == true)
    let none = try await run(tests, header: "script 'notes_priority.lua' {}\n")
    #expect(none.problems.first?.message.hasPrefix("nothing says the models") == true)
  }
}
