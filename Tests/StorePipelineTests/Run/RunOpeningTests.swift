import CoreDataStore
import Foundation
import StorePipeline
import StoreReplacement
import StoreTestSupport
import TestSupport
import Testing

@Suite("The way to the copy that a run reads", .temporaryFolder) struct RunOpeningTests {
  /// The sample's plan, needing more room than any disk has.
  private func greedy(_ sample: RunSample) throws -> Plan {
    var plan = try sample.plan()
    let needed = SpaceNeeded(old: 1 << 60, new: 0)
    plan.space = PlannedSpace(needed: needed.total, free: nil, places: needed)
    return plan
  }

  @Test("too little room is said before anything is written, a folder included")
  func space() async throws {
    let sample = try RunSample()
    let before = try FileManager.default.subpathsOfDirectory(atPath: sample.folder.path).sorted()
    let plan = try greedy(sample)
    let error = await #expect(throws: Failure.self) { try await sample.run(plan) }
    #expect(error?.kind == .refused)
    #expect(error?.what == "there is too little space")
    let after = try FileManager.default.subpathsOfDirectory(atPath: sample.folder.path).sorted()
    #expect(after == before)
  }

  @Test("a run that is resumed has its room already; one that starts over does not")
  func goingOn() async throws {
    let sample = try RunSample()
    try await sample.run(nil, RunOptions(until: "copy"))
    let plan = try greedy(sample)
    await #expect(throws: Failure.self) {
      try await sample.run(plan, RunOptions(restarts: true))
    }
    #expect(try sample.version() == "Notes")
    try await sample.run(nil, RunOptions(until: "copy"))
    #expect(try await sample.run(plan).outcome == .swapped)
  }

  @Test("a run that only finishes tells the version that the store had")
  func finishing() async throws {
    let sample = try RunSample()
    try await sample.run()
    let folder = try WorkFolder(store: sample.store)
    var state = try #require(try RunState.read(folder))
    state.phase = .swapping
    try state.write(folder)
    let summary = try await sample.run()
    #expect(summary.outcome == .swapped)
    #expect([summary.source, summary.target] == ["Notes", "Notes 2"])
    #expect(try RunState.read(folder)?.phase == .done)
  }
}
