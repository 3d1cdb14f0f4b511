import CoreDataStore
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import StorePipeline

@Suite("What the plans of many stores share", .temporaryFolder)
struct SharedPlanningTests {
  @Test("the answers to what is open are looked for once, however many stores are planned")
  func answers() throws {
    let folder = try PlanFolder.notes()
    let stores = ["Notes.sqlite", "b.sqlite", "c.sqlite"].map(folder.path)
    for store in stores.dropFirst() {
      try FileManager.default.copyItem(atPath: stores[0], toPath: store)
    }
    let pipeline = try folder.pipeline(
      PlanFolder.notesText(#"stage "copy" {} stage "connect" {}"#, header: #"target = "Notes 2""#))
    let first = try Planner(pipeline: pipeline)
    let plan = try first.plan(store: Store(stores[0]))
    let versions = try #require(plan.steps.first.map { [$0.from, $0.to] })
    var searches = 0
    func count(_ planner: Planner, _ found: [String: [String]]) {
      _ = planner.shared.answers(of: versions) {
        searches += 1
        return found
      }
    }
    count(first, [:])
    #expect(searches == 0 && !plan.problems.isEmpty)
    // What is known already is what every plan lists.
    let second = try Planner(pipeline: pipeline, library: first.library)
    let names = plan.problems.map { String($0.message.prefix { $0 != ":" }) }
    count(second, Dictionary(names.map { ($0, ["known: one", "known: two"]) }) { one, _ in one })
    for store in stores {
      let problems = try second.plan(store: Store(store)).problems
      #expect(problems.contains { $0.message.contains("known: two") }, "\(problems)")
    }
    #expect(searches == 1)
  }
}
