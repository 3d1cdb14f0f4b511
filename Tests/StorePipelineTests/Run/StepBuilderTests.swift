import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("The work of a step", .temporaryFolder)
struct StepBuilderTests {
  private static let before = """
    <entity name="A"><attribute name="n" optional="YES" attributeType="String"/></entity>
    """
  private static let rows = """
    INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZN) VALUES (1, 1, 1, 'x'), (2, 1, 1, 'y'), (3, 1, 1, NULL);
    UPDATE Z_PRIMARYKEY SET Z_MAX = 3;
    """

  /// Takes the three objects of A to another version, by stages and the script `s.lua`.
  private func run(to after: String, _ stages: String, script: String) async throws -> RunSummary {
    let folder = try PlanFolder.models([Self.before, after])
    try folder.write(script, to: "s.lua")
    let model = try ModelFile(folder.path("App.xcdatamodeld")).model(named: "App")
    try SampleStore.make(of: model, at: folder.path("App.sqlite"), adding: Self.rows)
    let plan = try folder.plan(PlanFolder.appText(stages), store: "App.sqlite")
    return try await Run(
      plan, store: folder.path("App.sqlite"),
      options: RunOptions(output: folder.path("New.sqlite"))
    ).execute()
  }

  private static let unique = """
    <uniquenessConstraints><uniquenessConstraint><constraint value="n"/></uniquenessConstraint>
    </uniquenessConstraints></entity>
    """

  @Test("objects that share a value which must be unique are all named, and nothing is written")
  func notUnique() async throws {
    let summary = try await run(
      to: Self.before.replacing("</entity>", with: Self.unique),
      """
      stage "copy" { map { entity = "A", attributes = { n = "same" } }, accept_loss = "A.n" }
      """, script: "")
    #expect(summary.outcome == .invalid && summary.status == 1)
    #expect(summary.failures.map { "\($0.key) \($0.rule)" } == (1...3).map { "\($0) unique n" })
    #expect(!FileManager.default.fileExists(atPath: TemporaryFolder.url.path + "/New.sqlite"))
  }

  private static let filtered = """
    stage "copy" { where { entity = "A", "n != nil" } }
    stage "transform" { entity = "A", script = "s.lua" }
    """

  @Test("a script may make objects of what the mapping makes nothing of, and a condition holds")
  func another() async throws {
    let summary = try await run(
      to: Self.before.replacing("\"A\"", with: "\"U\""), Self.filtered,
      script: "return { creates = { 'U' }, create = function(a, new) new.U { n = a.n } end }")
    #expect(summary.failures.isEmpty && summary.status == 0)
    #expect(summary.entities.map { "\($0.name) \($0.objectsAfter)" } == ["A 0", "U 2"])
    #expect(summary.warnings == ["A: 1 object left out by 'where'"])
  }

  @Test("objects that a condition keeps from a script are counted")
  func leftOut() async throws {
    let column = #"<attribute name="m" optional="YES" attributeType="String"/></entity>"#
    let summary = try await run(
      to: Self.before.replacing("</entity>", with: column), Self.filtered,
      script: "return { attributes = { m = function(n) return n .. '!' end } }")
    #expect(summary.entities.map(\.objectsAfter) == [2])
    #expect(summary.warnings == ["A: 1 object left out by 'where'"])
    let path = TemporaryFolder.url.path + "/New.sqlite"
    #expect(try StoreRows.read("SELECT ZM FROM ZA", at: path) == ["x!", "y!"])
  }

  @Test(
    "an attribute that a script empties in all objects is one warning, unless that is declared",
    arguments: [
      ("attributes = { n = function(n) return nil end }", "", true),
      ("attributes = { n = function(n) return nil end }", "drop { 'A.n' }", false),
      ("attributes = { n = function(n) return n == 'y' and n or nil end }", "", false),
      ("attributes = { m = function(n) return nil end }", "", false),
      ("create = function(a, new) return new.A { m = a.n } end", "", true),
      ("create = function(a, new) return new.A { m = a.n } end", "drop { 'A.n' }", false),
      ("create = function(a, new) end", "", false),
    ])
  func emptied(script: String, rules: String, isWarned: Bool) async throws {
    let column = #"<attribute name="m" optional="YES" attributeType="String"/></entity>"#
    let summary = try await run(
      to: Self.before.replacing("</entity>", with: column),
      """
      stage "copy" { \(rules) }
      stage "transform" { entity = "A", script = "s.lua" }
      """, script: "return { \(script) }")
    #expect(summary.status == 0)
    let warning = """
      A.n: 2 values in the source, none in any object now; if the script is meant to empty it, \
      say so: drop "A.n"
      """
    #expect(summary.warnings == (isWarned ? [warning] : []))
  }
}
