import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("The page for those who come from NSEntityMigrationPolicy", .temporaryFolder)
struct FromPoliciesPageTests {
  /// The Lua of the page, one script after another.
  private static func scripts() throws -> [String] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let page = "../../../Sources/StorePipeline/StorePipeline.docc/FromPolicies.md"
    let text = try String(contentsOf: folder.appending(path: page), encoding: .utf8)
    return text.split(separator: "```lua\n").dropFirst().compactMap {
      $0.split(separator: "```").first.map(String.init)
    }
  }

  /// Migrates the sample with one of the scripts in place of its own.
  private func run(script number: Int, adding sql: String = "") async throws -> RunSample {
    let sample = try RunSample(adding: sql)
    let script = try #require(try Self.scripts().dropFirst(number).first)
    try script.write(
      toFile: sample.path("notes_priority.lua"), atomically: true, encoding: .utf8)
    try await sample.run()
    return sample
  }

  @Test("it names every hook")
  func hooks() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let page = "../../../Sources/StorePipeline/StorePipeline.docc/FromPolicies.md"
    let text = try String(contentsOf: folder.appending(path: page), encoding: .utf8)
    for hook in ScriptHook.allCases { #expect(text.contains("| `\(hook.rawValue)(")) }
  }

  @Test("a word becomes a number")
  func value() async throws {
    let sample = try await run(script: 0)
    #expect(
      try StoreRows.read("SELECT ZTITLE, ZPRIORITY FROM ZNOTE", at: sample.store)
        == ["Milk|1", "Bread|0", "Report|-1"])
  }

  @Test("one object becomes two")
  func two() async throws {
    let sample = try await run(script: 1)
    #expect(
      try StoreRows.read(
        "SELECT ZNOTE, ZFILENAME, CAST(substr(ZDATA, 2) AS TEXT) FROM ZATTACHMENT", at: sample.store
      )
        == ["1|text.txt|two litres", "3|text.txt|by Friday"])
    #expect(try StoreRows.read("SELECT count(ZBODY) FROM ZNOTE", at: sample.store) == ["0"])
  }

  @Test("links are made when all objects are there")
  func relate() async throws {
    let sample = try await run(
      script: 2, adding: "UPDATE ZNOTE SET ZFOLDER = NULL WHERE Z_PK = 2;")
    #expect(
      try StoreRows.read("SELECT Z_PK, ZFOLDER FROM ZNOTE", at: sample.store)
        == ["1|1", "2|1", "3|2"])
  }
}
