import CoreDataStore
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import StorePipeline

@Suite("Stage validate", .temporaryFolder)
struct ValidateStageTests {
  /// The stage as a pipeline has it, from the table behind its name.
  private static func stage(_ table: String) throws -> PipelineStage {
    try StageText.read(ValidateStage.kind.description, table)
  }

  @Test("an expectation is compared with the source or with a number, not both")
  func alternatives() throws {
    let both = "{ expect = { { 'x', destination = 'count(A)', source = 'count(B)', equals = 1 } } }"
    let none = "{ expect = { { 'x', destination = 'count(A)' } } }"
    for text in [both, none] {
      let error = #expect(throws: PipelineFileError.self) { try Self.stage(text) }
      #expect(
        error?.problems.map(\.message) == ["option 'expect[1]' needs either 'source' or 'equals'"])
    }
    let one = try Self.stage("{ expect = { { 'x', destination = 'count(A)', equals = 1 } } }")
    #expect(one["expect"]?.list?.first?["name"]?.text == "x")
  }

  private static func model(_ more: String) -> String {
    """
    <entity name="Item"><attribute name="name" optional="YES" attributeType="String"/>
      \(more)</entity>
    """
  }

  private static let needed = #"<attribute name="size" attributeType="Integer 16"/>"#

  /// Three items, of which each needs a size in the second version.
  private static func folder(leaving isLeft: String) throws -> PlanFolder {
    let folder = try PlanFolder.models([model(""), model(needed)])
    try SampleStore.make(
      of: ModelLibrary([folder.path("App.xcdatamodeld")]).model(named: "App"),
      at: folder.path("App.sqlite"),
      adding: """
        INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES
          (1, 1, 1, 'a'), (2, 1, 1, 'b'), (3, 1, 1, 'c');
        UPDATE Z_PRIMARYKEY SET Z_MAX = 3
        """)
    try folder.write(
      """
      return { creates = { "Item" }, create = function(item, new, ctx)
        local made = new.Item(item)
        for name, value in pairs { size = 1 } do
          if not (\(isLeft)) then made[name] = value end
        end
      end }
      """, to: "s.lua")
    return folder
  }

  private static func text(_ behind: String) -> String {
    PlanFolder.appText(
      """
      stage "copy" {}
      stage "transform" { entity = "Item", script = "s.lua" }
      """
    ).replacing(#"stage "validate" {}"#, with: behind)
  }

  @Test(
    "a script that leaves a mandatory value out is refused, with and without the stage",
    arguments: ["", #"stage "validate" {}"#])
  func left(stage: String) async throws {
    let folder = try Self.folder(leaving: #"item.name == "b""#)
    let store = folder.path("App.sqlite")
    let bytes = try Data(contentsOf: URL(filePath: store))
    let summary = try await Run(folder.plan(Self.text(stage), store: "App.sqlite"), store: store)
      .execute()
    #expect(summary.outcome == .invalid && summary.status == 1)
    let broken = summary.failures.map { [$0.entity, $0.property, $0.rule] }
    #expect(broken == [["Item", "size", "mandatory"]])
    let maker = try #require(summary.failures.first?.maker)
    #expect(maker.hasPrefix("; made from Item 2 by ") && maker.hasSuffix("s.lua:2"), "\(maker)")
    #expect(try Data(contentsOf: URL(filePath: store)) == bytes)
  }

  @Test("an object that breaks a rule is named with the one it came from, through all steps")
  func origins() async throws {
    let (item, note) = (Self.model(""), #"<attribute name="note" optional="YES" "#)
    let tag = "<entity name=\"Tag\">\(Self.needed)"
    let folder = try PlanFolder.models([
      item, "\(item)\(tag)</entity>",
      "\(item)\(tag)\(note)attributeType=\"String\"/></entity>",
    ])
    try SampleStore.make(
      of: ModelLibrary([folder.path("App.xcdatamodeld")]).model(named: "App"),
      at: folder.path("App.sqlite"),
      adding: """
        INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'a'), (4, 1, 1, 'b');
        UPDATE Z_PRIMARYKEY SET Z_MAX = 4
        """)
    try folder.write(
      """
      return { creates = { "Item", "Tag" }, create = function(item, new, ctx)
        for name, value in pairs { Tag = item.name } do
          if value == "b" then new[name] {} end
        end
        return new.Item(item)
      end }
      """, to: "s.lua")
    let plan = try folder.plan(
      PlanFolder.appText(
        """
        step "App 2" {
          stage "copy" {},
          stage "transform" { entity = "Item", script = "s.lua" },
        }
        step "App 3" { stage "copy" {} }
        """), store: "App.sqlite")
    let summary = try await Run(plan, store: folder.path("App.sqlite")).execute()
    let failure = try #require(summary.failures.first)
    #expect(failure.entity == "Tag" && failure.property == "size")
    #expect(failure.origin == .init(entity: "Item", key: 4))
    #expect(failure.script?.hasSuffix("s.lua:1") == true, "\(failure.maker)")
  }

  @Test("without the stage, too, objects that share a unique value are named with their origins")
  func sharedValues() async throws {
    let item = Self.model("")
    let word = #"<attribute name="word" optional="YES" attributeType="String"/>"#
    let folder = try PlanFolder.models([
      item,
      """
      \(item)<entity name="Tag">\(word)
        <uniquenessConstraints><uniquenessConstraint><constraint value="word"/>
        </uniquenessConstraint></uniquenessConstraints></entity>
      """,
    ])
    try SampleStore.make(
      of: ModelLibrary([folder.path("App.xcdatamodeld")]).model(named: "App"),
      at: folder.path("App.sqlite"),
      adding: """
        INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (2, 1, 1, 'a'), (4, 1, 1, 'b');
        UPDATE Z_PRIMARYKEY SET Z_MAX = 4
        """)
    try folder.write(
      """
      return { creates = { "Item", "Tag" }, create = function(item, new, ctx)
        new.Tag { word = "same" }
        return new.Item(item)
      end }
      """, to: "s.lua")
    let store = folder.path("App.sqlite")
    let error = await #expect(throws: Failure.self) {
      try await Run(folder.plan(Self.text(""), store: "App.sqlite"), store: store).execute()
    }
    #expect(error?.subject == "entity Tag, ZWORD")
    let why = error?.why ?? ""
    #expect(why.hasPrefix("The objects with Z_PK 1 and 2 have the same values. Tag 1 was made "))
    #expect(why.contains("from Item 2 by ") && why.contains("from Item 4 by "), "\(why)")
    #expect(why.hasSuffix("s.lua:2."), "\(why)")
  }

  @Test("a script that gives each object what it needs runs without the stage, and is warned of")
  func given() async throws {
    let folder = try Self.folder(leaving: "false")
    let text = Self.text("")
    let warnings = Planner.check(try folder.pipeline(text)).warnings
    #expect(warnings.map(\.line) == [4])
    #expect(warnings.first?.message.contains(#"write stage "validate" {} above"#) == true)
    let summary = try await Run(
      folder.plan(text, store: "App.sqlite"), store: folder.path("App.sqlite")
    ).execute()
    #expect(summary.outcome == .swapped)
    #expect(summary.warnings.count { $0.contains(#"write stage "validate" {}"#) } == 1)
    #expect(Planner.check(try folder.pipeline(Self.text(#"stage "validate" {}"#))).warnings == [])
  }

  @Test("nothing is said of a pipeline without scripts") func plain() throws {
    let folder = try PlanFolder.models([Self.model("")])
    let text = PlanFolder.appText(#"stage "copy" {}"#)
      .replacing(#"stage "validate" {}"#, with: "")
    #expect(Planner.check(try folder.pipeline(text)).warnings == [])
  }
}
