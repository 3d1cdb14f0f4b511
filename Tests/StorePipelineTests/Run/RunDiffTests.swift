import CoreDataStore
import Foundation
import StoreMigration
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("What a run is found to have changed", .temporaryFolder)
struct RunDiffTests {
  private static func text(_ name: String) -> String {
    "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"String\"/>"
  }

  private func findings(
    _ versions: [String], rows: String, steps: String, dryRun: DryRun? = DryRun(),
    scripts: [String: String] = [:]
  ) async throws -> RunResult {
    let folder = try PlanFolder.models(versions)
    for (name, text) in scripts { try folder.write(text, to: name) }
    let library = try ModelLibrary([folder.path("App.xcdatamodeld")])
    try SampleStore.make(
      of: library.model(named: "App"), at: folder.path("App.sqlite"), adding: rows)
    let plan = try folder.plan(PlanFolder.appText(steps), store: "App.sqlite")
    var options = RunOptions()
    options.dryRun = dryRun
    return try await Run(plan, store: folder.path("App.sqlite"), options: options).findings()
  }

  private func losses(_ report: DifferenceReport?) -> [String] {
    (report?.losses?.lines ?? []).map { line in
      "\(line.loss.entity).\(line.loss.property) \(line.loss.fate.rawValue) "
        + "\(line.loss.values)/\(line.loss.arrived); \(line.words)"
    }
  }

  @Test("what the file renames is no difference, and moved") func renamed() async throws {
    let report = try await findings(
      [
        "<entity name=\"A\">\(Self.text("t"))</entity>",
        "<entity name=\"B\">\(Self.text("u"))</entity>",
      ],
      rows: "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZT) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b')",
      steps: """
        stage "copy" { rename { entity = "A", to = "B", attributes = { t = "u" } } }
        """
    ).report
    #expect(report?.changeCount == 0)
    #expect(report?.difference.entities.map(\.kept) == [2])
    #expect(losses(report) == ["A.t moved 2/2; to B.u"])
    #expect(report?.losses?.verdict.hasPrefix("0 of 2 values and links are lost") == true)
  }

  @Test("what has no place any more is removed with it, not emptied, in every form")
  func removed() async throws {
    func entity(_ more: String) -> String {
      "<entity name=\"A\">\(Self.text("t"))\(more)</entity><entity name=\"B\"/>"
    }
    let link = """
      <relationship name="b" optional="YES" maxCount="1" destinationEntity="B"/>
      """
    let report = try #require(
      try await findings(
        [entity(Self.text("x") + link), entity("")],
        rows: """
          INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZT, ZX, ZB) VALUES (1, 1, 1, NULL, 'x', 1);
          INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1);
          """, steps: #"stage "copy" { drop { "A.x", "A.b" } }"#
      ).report)
    let compared = try #require(report.difference.entities.first)
    #expect(compared.attributes["x"] == ComparedAttribute(removed: 1))
    #expect(compared.links["b"]?.removed == 1 && compared.links["b"]?.lost == 0)
    #expect(
      report.groups.map(\.words) == [
        "x removed with the attribute; b removed with the relationship"
      ])
    let json = try JSONDifferenceReport(report, limit: 10).text
    #expect(json.contains("\"removed\": 1") && json.contains("\"emptied\": 0"))
    let text = try TextDifferenceReport(
      report, limit: 10, width: 100, style: Style(isOn: false)
    ).text
    #expect(text.contains("A.x  1 removed with the attribute"))
    #expect(text.contains("A.b  1 link removed with the relationship"))
    #expect(losses(report).filter { $0.contains("dropped") }.count == 2)
  }

  @Test("what a script was given is not called removed, and where it was found is said")
  func given() async throws {
    let report = try #require(
      try await findings(
        [
          "<entity name=\"A\">\(Self.text("x"))\(Self.text("y"))\(Self.text("z"))</entity>",
          "<entity name=\"A\">\(Self.text("t"))</entity>"
            + "<entity name=\"B\">\(Self.text("u"))</entity>",
        ],
        rows: "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZX, ZY, ZZ) VALUES (1, 1, 1, 'some', 'b', 'c')",
        steps: """
          stage "copy" { drop { "A.z" } }
          stage "transform" { entity = "A", script = "s.lua" }
          """,
        scripts: [
          "s.lua": """
          return {
            creates = { "A", "B" },
            create = function(a, new, ctx)
              new.B { u = a.x }
              return new.A { t = #a.y .. "" }
            end,
          }
          """
        ]
      ).report)
    let words = report.groups.map(\.words).filter { $0.contains("z ") }
    #expect(
      words == [
        "t set to \"1\"; x given to a script, found in B.u; y given to a script; "
          + "z removed with the attribute"
      ])
    let text = try TextDifferenceReport(
      report, limit: 10, width: 100, style: Style(isOn: false)
    ).text
    #expect(text.contains("A.x  1 given to a script, found in B.u"))
    #expect(text.contains("A.z  1 removed with the attribute"))
  }

  @Test("a relationship that is renamed on the way, and inherited, is followed")
  func inherited() async throws {
    let models = ["folder", "book", "book"].enumerated().map { number, name in
      let identifier = number > 0 ? "elementID=\"folder\"" : ""
      return """
        <entity name="Entry" isAbstract="YES"><relationship name="\(name)" optional="YES"
          maxCount="1" destinationEntity="Box" inverseName="all" inverseEntity="Box" \(identifier)/>
        </entity>
        <entity name="Note" parentEntity="Entry">\(Self.text(number < 2 ? "t" : "u"))</entity>
        <entity name="Box"><relationship name="all" optional="YES" toMany="YES"
          destinationEntity="Entry" inverseName="\(name)" inverseEntity="Entry"/></entity>
        """
    }
    let report = try await findings(
      models,
      rows: """
        INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1);
        INSERT INTO ZENTRY (Z_PK, Z_ENT, Z_OPT, ZFOLDER, ZT) VALUES (1, 3, 1, 1, 'a');
        """,
      steps: """
        step "App 2" { stage "copy" {} }
        step "App 3" {
          stage "copy" { rename { entity = "Note", to = "Note", attributes = { t = "u" } } },
        }
        """
    ).report
    #expect(report?.changeCount == 0)
  }

  @Test("a chain is compared from its first store to its last") func chain() async throws {
    let report = try await findings(
      [
        "<entity name=\"A\">\(Self.text("t"))\(Self.text("x"))</entity>",
        "<entity name=\"B\">\(Self.text("t"))</entity>",
        "<entity name=\"B\">\(Self.text("v"))</entity>",
      ],
      rows:
        "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZT, ZX) "
        + "VALUES (1, 1, 1, 'a', 'x'), (2, 1, 1, 'b', NULL)",
      steps: """
        step "App 2" { stage "copy" { rename { entity = "A", to = "B" }, drop { "A.x" } } }
        step "App 3" { stage "copy" { rename { entity = "B", attributes = { t = "v" } } } }
        """
    ).report
    #expect(
      report?.difference.entities.map { "\($0.name) \($0.from ?? "") \($0.kept)" } == ["B A 1"])
    #expect(report?.difference.entities.first?.attributes["x"] == ComparedAttribute(removed: 1))
    #expect(report?.before.version == "App")
    #expect(report?.after.version == "App 3")
    let lines = losses(report)
    #expect(lines.first == "A.t moved 2/2; to B.v")
    #expect(
      lines.last?.wholeMatch(
        of: /A\.x dropped 1\/0; removed with the attribute; given up: .*app\.pipeline:\d+/) != nil
        || lines.last?.contains("given up: ") == true)
  }

  @Test("a relationship that gets another name in every step has its links where they were")
  func relationships() async throws {
    func model(_ name: String, _ inverse: String) -> String {
      """
      <entity name="A">\(Self.text("t"))<relationship name="\(name)" optional="YES" maxCount="1"
      destinationEntity="B" inverseName="\(inverse)" inverseEntity="B"/></entity>
      <entity name="B">\(Self.text("t"))<relationship name="\(inverse)" optional="YES" toMany="YES"
      destinationEntity="A" inverseName="\(name)" inverseEntity="A"/></entity>
      """
    }
    func rename(_ old: String, _ new: String, _ entity: String) -> String {
      "rename { entity = \"\(entity)\", attributes = { \(old) = \"\(new)\" } }"
    }
    let report = try await findings(
      [model("box", "items"), model("crate", "things"), model("case", "goods")],
      rows: """
        INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZT, ZBOX) VALUES (1, 1, 1, 'a', 1), (2, 1, 1, 'b', 1);
        INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT, ZT) VALUES (1, 2, 1, 'x')
        """,
      steps: """
        step "App 2" { stage "copy" {
          \(rename("box", "crate", "A")), \(rename("items", "things", "B")) } }
        step "App 3" { stage "copy" {
          \(rename("crate", "case", "A")), \(rename("things", "goods", "B")) } }
        """
    ).report
    #expect(report?.difference.entities.allSatisfy { $0.isSame } == true)
    #expect(report?.totals.kept == 3)
  }

  @Test("objects of which a script made several are found by what it noted, through later steps")
  func scripted() async throws {
    let photo = "<entity name=\"Photo\">\(Self.text("data"))</entity>"
    let report = try await findings(
      [
        "<entity name=\"Item\">\(Self.text("name"))\(Self.text("image"))</entity>",
        "<entity name=\"Item\">\(Self.text("name"))</entity>" + photo,
        "<entity name=\"Item\">\(Self.text("title"))</entity>" + photo,
      ],
      rows: """
        INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZIMAGE) VALUES (1, 1, 1, 'a', 'A'),
          (2, 1, 1, 'b', 'B')
        """,
      steps: """
        step "App 2" { stage "copy" {}, stage "transform" { entity = "Item", script = "s.lua" } }
        step "App 3" {
          stage "copy" { rename { entity = "Item", attributes = { name = "title" } } },
        }
        """,
      scripts: [
        "s.lua": """
        return {
          creates = { "Item", "Photo" },
          create = function(item, new)
            new.Item { name = item.name }
            new.Photo { data = item.image }
          end,
        }
        """
      ]
    ).report
    let entities = report?.difference.entities.map { "\($0.name) \($0.added) \($0.removed)" }
    #expect(entities == ["Item 0 0", "Photo 2 0"])
    let objects = try report?.objects.first(.max)
    #expect(objects?.filter { $0.entity == "Photo" }.compactMap(\.source?.key) == [1, 2])
    #expect(
      losses(report).contains("Item.image scripted 2/2; given to a script, found in Photo.data"))
  }

  @Test("without a report and a dry run nothing is compared") func plain() async throws {
    let findings = try await findings(
      [
        "<entity name=\"A\">\(Self.text("t"))</entity>",
        "<entity name=\"A\">\(Self.text("t"))"
          + "\(Self.text("u"))</entity>",
      ],
      rows: "", steps: "stage \"copy\" {}", dryRun: nil)
    #expect(findings.summary.outcome == .swapped)
    #expect(findings.report == nil)
  }
}
