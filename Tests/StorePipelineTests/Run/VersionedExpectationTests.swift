import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Expectations by version", .temporaryFolder)
struct VersionedExpectationTests {
  private static let versions = [
    #"<entity name="A"><attribute name="x" optional="YES" attributeType="String"/></entity>"#,
    #"<entity name="B"><attribute name="x" optional="YES" attributeType="String"/></entity>"#,
    #"<entity name="C"><attribute name="x" optional="YES" attributeType="String"/></entity>"#,
  ]

  private static let steps = """
    step "App 2" { stage "copy" { rename { entity = "A", to = "B" } } }
    step "App 3" { stage "copy" { rename { entity = "B", to = "C" } } }
    """

  private static let counts = #"{ ["App"] = "count(A)", ["App 2"] = "count(B)" }"#

  private func text(_ source: String, destination: String = "count(C)") -> String {
    PlanFolder.appText(Self.steps).replacing(
      "stage \"validate\" {}",
      with: """
        stage "validate" {
          expect = { { "none is lost", source = \(source), destination = "\(destination)" } },
        }
        """)
  }

  private func run(_ text: String, from version: String) async throws -> RunSummary {
    let folder = try PlanFolder.models(Self.versions)
    let library = try ModelLibrary([folder.path("App.xcdatamodeld")])
    let table = version == "App" ? "ZA" : "ZB"
    try SampleStore.make(
      of: library.model(named: version), at: folder.path("App.sqlite"),
      adding: """
        INSERT INTO \(table) (Z_PK, Z_ENT, Z_OPT, ZX) VALUES (1, 1, 1, 'a'), (2, 1, 1, NULL);
        UPDATE Z_PRIMARYKEY SET Z_MAX = 2
        """)
    let plan = try folder.plan(text, store: "App.sqlite")
    #expect(plan.problems.isEmpty, "\(plan.problems)")
    return try await Run(plan, store: folder.path("App.sqlite")).execute()
  }

  @Test(
    "the count of the version that the store has is the one that is asked",
    arguments: ["App", "App 2"])
  func counted(version: String) async throws {
    #expect(try await run(text(Self.counts), from: version).outcome == .swapped)
  }

  @Test(
    "one that does not hold names the counts, the version's own among them",
    arguments: [("App", "count(A)"), ("App 2", "count(B)")])
  func broken(version: String, count: String) async throws {
    let summary = try await run(
      text(Self.counts, destination: "count(C where x != nil)"), from: version)
    #expect(summary.outcome == .invalid && summary.status == 1)
    #expect(summary.failures.map(\.property) == ["none is lost"])
    #expect(summary.failures.first?.rule == "count(C where x != nil): 1, \(count): 2")
  }

  @Test(
    "a version without a count, an unknown version and a name it does not have are mistakes",
    arguments: [
      (#"{ ["App"] = "count(A)" }"#, #"It says no count for stores of "App 2"."#),
      (
        #"{ ["App"] = "count(A)", ["App 2"] = "count(B)", ["Ap 3"] = "count(C)" }"#,
        "the models have no version 'Ap 3'"
      ),
      (#"{ ["App"] = "count(B)", ["App 2"] = "count(B)" }"#, "The model App has no entity B"),
      (#""count(A)""#, "The model App 2 has no entity A"),
    ])
  func mistakes(source: String, words: String) throws {
    let folder = try PlanFolder.models(Self.versions)
    let found = try Planner.check(folder.pipeline(text(source))).problems.map { "\($0)" }
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.contains(words) == true, "\(found)")
    #expect(found.first?.contains("notes.pipeline:6:") == true, "\(found)")
  }
}
