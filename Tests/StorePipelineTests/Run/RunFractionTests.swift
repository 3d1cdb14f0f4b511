import Foundation
import TestSupport
import Testing

@testable import StorePipeline

@Suite("How far a run is as a whole", .temporaryFolder)
struct RunFractionTests {
  private static func event(
    _ kind: ProgressEvent.Kind, _ stage: String, _ entity: String? = nil, _ rows: Int = 0,
    of total: Int? = nil
  ) -> ProgressEvent {
    ProgressEvent(
      kind, time: Date(timeIntervalSinceReferenceDate: 0), run: "r", store: "s", stage: stage,
      entity: entity, rows: rows, total: total)
  }

  @Test("the events of a run lead from 0 to 1, and never back") func wholeRun() async throws {
    let sample = try RunSample()
    let plan = try sample.plan()
    let recorder = Recorder()
    try await sample.run(plan) { recorder.add($0) }
    var fraction = RunFraction(plan, stages: .standard)
    #expect(fraction.value == 0)
    let values = recorder.all.map { event in
      fraction.take(event)
      return fraction.value
    }
    #expect(values == values.sorted())
    #expect(values.last == 1)
  }

  @Test("a stage that makes objects is as far as they are; one that counts its parts, as those are")
  func kinds() throws {
    let plan = try RunSample().plan()
    var fraction = RunFraction(plan, stages: .standard)
    fraction.take(Self.event(.stageStarted, "transform"))
    let start = fraction.value
    fraction.take(Self.event(.progress, "transform", "Note", 1, of: 3))
    #expect(fraction.objects == 1 && fraction.objectsInAll == 3)
    #expect(fraction.value > start)
    fraction.take(Self.event(.stageStarted, "verify"))
    let verify = fraction.value
    fraction.take(Self.event(.progress, "verify", "Note", 4, of: 4))
    let whole = fraction.value
    #expect(whole > verify)
    #expect(fraction.objects == 0 && fraction.objectsInAll == 0)
    fraction.take(Self.event(.stageStarted, "swap"))
    #expect(fraction.value >= whole)
  }

  @Test("steps that an interrupted run has finished are done") func steps() throws {
    let plan = try RunSample().plan()
    let fresh = RunFraction(plan, stages: .standard)
    let resumed = RunFraction(plan, finishedSteps: 1, stages: .standard)
    #expect(fresh.value == 0)
    #expect(resumed.value > 0.3 && resumed.value < 0.99)
  }

  @Test("of a plan without steps nothing is done until the run ends") func current() async throws {
    let sample = try RunSample()
    try await sample.run()
    let plan = try sample.plan()
    try #require(plan.isCurrent)
    var fraction = RunFraction(plan, stages: .standard)
    fraction.take(Self.event(.stageStarted, "detect"))
    var end = Self.event(.runFinished, "")
    end.status = 0
    fraction.take(end)
    #expect(fraction.value == 1)
  }
}
