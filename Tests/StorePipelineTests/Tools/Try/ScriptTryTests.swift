import CoreDataStore
import Foundation
import StoreMigration
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Trying a script", .temporaryFolder)
struct ScriptTryTests {
  private func path(_ name: String) -> String { TemporaryFolder.url.appending(path: name).path }

  /// Tries the sample's script, or another one, on the sample's store.
  private func run(
    _ script: String? = nil, _ choice: ScriptTry.Choice = .init(), journal: String = "DELETE"
  ) throws -> TryReport {
    try NotesSample.lay(in: TemporaryFolder.url)
    try SampleStore.change(path("Notes.sqlite"), by: "PRAGMA journal_mode = \(journal)")
    if let script {
      try Data(script.utf8).write(to: URL(filePath: path("notes_priority.lua")))
    }
    let pipeline = try PipelineFile(path: path("notes.pipeline")).pipeline()
    let before = try contents()
    defer { #expect((try? contents()) == before) }
    return try ScriptTry(.init(path: path("notes_priority.lua")), between: .pipeline(pipeline))
      .run(on: path("Notes.sqlite"), choice)
  }

  /// Everything in the folder, byte for byte.
  private func contents() throws -> [String: Data] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: TemporaryFolder.url.path)
    let files = names.compactMap { name in
      FileManager.default.contents(atPath: path(name)).map { (name, $0) }
    }
    return Dictionary(uniqueKeysWithValues: files)
  }

  @Test(
    "each object stands with what is made of it, and the folder stays as it is",
    arguments: ["DELETE", "WAL"])
  func objects(journal: String) throws {
    let report = try run(journal: journal)
    #expect(report.objects.map(\.source.key) == [1, 2, 3])
    #expect(report.objects.map { $0.made.map(\.entity) } == [["Note"], ["Note"], ["Note"]])
    let made = try #require(report.objects.first?.made.first)
    let priority = made.properties.first { $0.name == "priority" }
    #expect(priority?.text == "1")
    #expect(priority?.origin == "priority")
    #expect(made.properties.first { $0.name == "body" }?.origin == "text")
    #expect(made.properties.first { $0.name == "folder" }?.text == "Folder 1")
    #expect(made.properties.first { $0.name == "labels" }?.text == "{ Label 1 }")
    #expect(report.failed == 0)
  }

  @Test("a condition and a limit choose the objects")
  func choice() throws {
    let some = try run(nil, .init(condition: "title != 'Milk'", limit: 1))
    #expect(some.objects.map(\.source.key) == [2])
  }

  @Test("a condition that means nothing is an error")
  func condition() {
    #expect(throws: Failure.self) { try run(nil, .init(condition: "folde = 1")) }
  }

  @Test("an object that the script fails on has the error with its line; the others go on")
  func failure() throws {
    let report = try run(
      """
      return { attributes = { priority = function(text)
        return #text
      end } }
      """)
    #expect(report.objects.map { $0.failure?.line } == [nil, 2, nil])
    #expect(report.objects.map(\.made.count) == [1, 0, 1])
    #expect(report.failed == 1)
    let text = TextTryReport(report).text
    #expect(text.contains("notes_priority.lua:2: attempt to get length of a nil value"))
    #expect(text.hasSuffix("3 objects, 1 failed; nothing was written"))
  }

  @Test("what a hook outside of objects fails with is reported, too")
  func hook() throws {
    let report = try run(
      "return { attributes = { priority = 0 }, begin = function(ctx) ctx.fail('no') end }")
    #expect(report.failure?.message == "no")
    #expect(report.failed == 1)
  }

  @Test("a script that the pipeline does not name is refused with those it names")
  func unknown() throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    let pipeline = try PipelineFile(path: path("notes.pipeline")).pipeline()
    let trial = ScriptTry(.init(path: "note_priority.lua"), between: .pipeline(pipeline))
    let error = #expect(throws: PipelineFileError.self) {
      try trial.run(on: path("Notes.sqlite"))
    }
    #expect(error?.problems.first?.message.contains("no transform that would run names") == true)
  }

  @Test("between two versions no pipeline file is needed")
  func versions() throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    let models = TrialModels.versions(
      models: [path("Notes.xcdatamodeld")], from: "Notes", to: "Notes 2")
    let script = TrialModels.Script(path: path("notes_priority.lua"), entity: "Note")
    let report = try ScriptTry(script, between: models).run(on: path("Notes.sqlite"))
    #expect(report.objects.count == 3)
    #expect(report.source == "Notes" && report.target == "Notes 2")
  }

  @Test("further objects stand below, and what nothing is made of says so")
  func layout() throws {
    let report = try run(
      """
      return {
        creates = { "Note", "Attachment" }, attributes = { priority = 0 },
        create = function(note, new, ctx)
          if not note.text then ctx.skip("empty") end
          local copy = new.Note(note)
          new.Attachment { fileName = "f", note = copy }
          return copy
        end,
      }
      """, .init(limit: 2))
    let lines = TextTryReport(report, width: 80).text.split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.hasPrefix("  done = false") && $0.hasSuffix("-") })
    #expect(lines.contains { $0.contains("+ Attachment 1") })
    #expect(lines.contains { $0.contains("+   fileName = \"f\"") })
    #expect(lines.contains("  nothing is made from it"))
  }
}
