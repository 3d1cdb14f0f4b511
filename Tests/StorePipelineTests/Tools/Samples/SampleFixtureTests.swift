import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("A small store for tests from a real one", .temporaryFolder)
struct SampleFixtureTests {
  private func make(
    from store: String = "Notes.sqlite", to output: String = "few.sqlite", objects: Int = 5,
    keeping names: [String] = []
  ) throws -> Sample.Fixture {
    let folder = TemporaryFolder.url
    if !FileManager.default.fileExists(atPath: samplePath("Notes.xcdatamodeld")) {
      try NotesSample.lay(in: folder)
    }
    return try Sample.Fixture(
      from: samplePath(store), at: samplePath(output), objects: objects, keeping: names,
      models: [samplePath("Notes.xcdatamodeld")])
  }

  private func failure(_ body: () throws -> Sample.Fixture) -> Failure? {
    do {
      _ = try body()
      return nil
    } catch {
      return error as? Failure
    }
  }

  @Test("what is kept is named by entity and attribute, by * or by an entity's parent")
  func kept() throws {
    let texts = { (name: String) in
      try StoreRows.read("SELECT ZTITLE FROM ZNOTE ORDER BY 1", at: samplePath(name))
    }
    _ = try make(objects: 50, keeping: ["Note.title"])
    #expect(try texts("few.sqlite") == ["Bread", "Milk", "Report"])
    _ = try make(to: "all.sqlite", objects: 50, keeping: ["Note.*", "*.name"])
    let sql =
      "SELECT ZTITLE || ifnull(ZTEXT, '') || ZCREATED FROM ZNOTE UNION SELECT ZNAME FROM ZTAG"
    #expect(
      try StoreRows.read(sql, at: samplePath("all.sqlite")).sorted()
        == StoreRows.read(sql, at: samplePath("Notes.sqlite")).sorted())
    _ = try make(to: "none.sqlite", objects: 50)
    #expect(try Set(texts("none.sqlite")).isDisjoint(with: ["Bread", "Milk", "Report"]))
  }

  @Test("names that are not there are all reported, with what was meant")
  func unknownNames() throws {
    let failure = failure { try make(keeping: ["Nte.title", "Note.titel", "Note.folder", "Tag"]) }
    #expect(failure?.kind == .misuse)
    for text in [
      "no entity Nte; did you mean Note?", "Note has no attribute titel; did you mean title?",
      "Note.folder is a relationship", "Tag is an entity",
    ] {
      #expect(failure?.why.contains(text) == true, "\(failure?.why ?? "")")
    }
    #expect(!FileManager.default.fileExists(atPath: samplePath("few.sqlite")))
  }

  @Test(
    "a place where something is stays as it is",
    arguments: ["few.sqlite", "few.sqlite-wal", "few.sqlite-journal"])
  func taken(name: String) throws {
    try Data("mine".utf8).write(to: URL(filePath: samplePath(name)))
    let failure = failure { try make() }
    #expect(failure?.kind == .misuse && failure?.why == "Something is there already.")
    #expect(try Data(contentsOf: URL(filePath: samplePath(name))) == Data("mine".utf8))
  }

  @Test("a store that cannot be read, and one whose model is unknown, give none")
  func unusable() throws {
    _ = try make(to: "first.sqlite")
    #expect(failure { try make(from: "nothing.sqlite") }?.kind.status == 3)
    try Data("no store".utf8).write(to: URL(filePath: samplePath("text.sqlite")))
    #expect(failure { try make(from: "text.sqlite") }?.kind.status == 3)
    var bytes = try Data(contentsOf: URL(filePath: samplePath("Notes.sqlite")))
    bytes.replaceSubrange(8192..<12000, with: Data(repeating: 0xA5, count: 3808))
    try bytes.write(to: URL(filePath: samplePath("damaged.sqlite")))
    #expect(failure { try make(from: "damaged.sqlite") }?.kind == .unusable)
    let unknown = failure {
      try Sample.Fixture(
        from: samplePath("Notes.sqlite"), at: samplePath("few.sqlite"), objects: 5, keeping: [])
    }
    #expect(unknown?.remedy == "Name the models of the application with --models.")
    #expect(!FileManager.default.fileExists(atPath: samplePath("few.sqlite")))
  }

  @Test("a folder of large values of another store is not added to") func foreignValues() throws {
    let folder = samplePath(".few_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let name = "3E0B6C1A-5C0F-4B57-9A53-0F4F7C1C9A11"
    try Data().write(to: URL(filePath: "\(folder)/\(name)"))
    #expect(failure { try make() }?.subject.hasSuffix(name) == true)
    #expect(!FileManager.default.fileExists(atPath: samplePath("few.sqlite")))
  }

  @Test("it goes through a migration like the store itself", arguments: [1, 5, 50])
  func migration(count: Int) async throws {
    let fixture = try make(objects: count)
    #expect(fixture.json.contains("\"objects\": \(count == 1 ? 3 : min(count, 6))"))
    let pipeline = try PipelineFile(path: samplePath("notes.pipeline")).pipeline()
    let path = samplePath("few.sqlite")
    try SampleFixtureTests.setPriorities(path)
    let plan = try Planner(pipeline: pipeline).plan(store: try Store(path))
    #expect(plan.problems == [])
    let summary = try await Run(plan, store: path).execute()
    #expect(summary.outcome == .swapped && summary.failures == [])
  }

  /// The sample's script knows two words, and made-up ones are none of them.
  private static func setPriorities(_ path: String) throws {
    try StoreRows.change("UPDATE ZNOTE SET ZPRIORITY = 'low' WHERE ZPRIORITY NOT NULL", at: path)
  }
}
