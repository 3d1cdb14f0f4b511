import CoreDataStore
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

  /// The stores of a sample, laid into the test's folder, and the plan of each.
  private static func stores(
    _ sample: Sample
  ) throws -> [(store: String, plan: @Sendable () throws -> Plan)] {
    let folder = TemporaryFolder.url.appending(path: "sample")
    _ = try SampleFolder(SampleTests.project).lay(sample, in: folder.path, size: .small)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let file = try #require(names.first { $0.hasSuffix(".pipeline") })
    let pipeline = try PipelineFile(path: folder.appending(path: file).path).pipeline()
    return names.filter { $0.hasSuffix(".sqlite") || $0.hasSuffix(".store") }.map { name in
      let store = folder.appending(path: name).path
      return (store, { try Planner(pipeline: pipeline).plan(store: try Store(store)) })
    }
  }

  /// What the events of a run said of the whole of it.
  private static func fractions(
    _ store: String, _ plan: Plan, _ options: RunOptions = RunOptions()
  ) async throws -> [Double] {
    let recorder = Recorder()
    _ = try await Run(plan, store: store, options: options).execute { recorder.add($0) }
    // A run of less than a second says nothing of its end.
    #expect(recorder.all.allSatisfy { ($0.remaining ?? 2) >= 2 })
    let fractions = recorder.all.compactMap(\.fraction)
    #expect(fractions.count == recorder.all.count)
    return fractions
  }

  @Test(
    "no run goes back: pictures, scripts, chains, kept tables; whole, in parts, or without a swap",
    arguments: Sample.all)
  func monotone(sample: Sample) async throws {
    for (store, plan) in try Self.stores(sample) {
      var dry = RunOptions()
      dry.dryRun = DryRun()
      var runs = [try await Self.fractions(store, plan(), dry)]
      for until in ["copy", "validate"] where try !plan().isCurrent {
        runs.append(try await Self.fractions(store, plan(), RunOptions(until: until)))
      }
      runs.append(try await Self.fractions(store, plan()))
      for run in runs {
        #expect(run == run.sorted())
        #expect(run.allSatisfy { (0...1).contains($0) })
        #expect(run.last == 1)
      }
    }
  }

  @Test("what was done before a run was cut short does not begin at nothing") func resumed()
    async throws
  {
    let sample = try RunSample()
    _ = try await Self.fractions(sample.store, sample.plan(), RunOptions(until: "validate"))
    let rest = try await Self.fractions(sample.store, sample.plan())
    #expect(try #require(rest.first) > 0.1)
    #expect(rest == rest.sorted())
  }

  @Test("the time that remains follows the pace of the run") func pace() throws {
    let plan = try RunSample().plan()
    func remaining(every seconds: Double) -> Double {
      var fraction = RunFraction(plan, stages: .standard)
      var now = 0.0
      func take(_ event: ProgressEvent) {
        var event = event
        now += seconds
        event.time = Date(timeIntervalSinceReferenceDate: now)
        fraction.take(event)
      }
      for stage in ["detect", "open", "copy", "transform"] {
        take(Self.event(.stageStarted, stage))
        take(Self.event(.stageFinished, stage))
      }
      return fraction.remaining
    }
    let (fast, slow) = (remaining(every: 0.000_001), remaining(every: 10))
    #expect(fast > 0 && slow > 2 * fast, "\(fast), \(slow)")
  }

  @Test("a slow script behind a fast one takes as long again when it is verified")
  func laterScripts() throws {
    let units = (0..<2).flatMap { step in
      var made = RunFraction.Unit(name: "transform", step: step)
      made.entities = ["Note": RunFraction.Work(.scripts, 0.1)]
      var verified = RunFraction.Unit(name: "verify", step: nil)
      verified.entities = ["Note": RunFraction.Work(.repeats, 0.1)]
      verified.repeats = true
      return [made, verified]
    }
    var fraction = RunFraction(units: units)
    var now = 0.0
    func take(_ kind: ProgressEvent.Kind, _ stage: String, _ rows: Int = 0, after: Double = 0) {
      var event = Self.event(kind, stage, rows > 0 ? "Note" : nil, rows, of: 10)
      now += after
      event.time = Date(timeIntervalSinceReferenceDate: now)
      event.isRepeated = stage == "verify"
      fraction.take(event)
    }
    for stage in ["transform", "verify"] {
      take(.stageStarted, stage)
      for rows in 1...10 { take(.progress, stage, rows, after: 0.01) }
      take(.stageFinished, stage)
    }
    take(.stageStarted, "transform")
    for rows in 1...3 { take(.progress, "transform", rows, after: 1) }
    // Seven seconds of the script are left, and ten of its verification.
    #expect(abs(fraction.remaining / 17 - 1) < 0.3, "\(fraction.remaining)")
    #expect(fraction.saidRemaining != nil)
  }

  @Test("a run that is planned again is no less far") func again() throws {
    let plan = try RunSample().plan()
    var fraction = RunFraction(plan, stages: .standard)
    fraction.take(Self.event(.stageStarted, "validate"))
    let before = fraction.value
    fraction.start(over: RunFraction(plan, stages: .standard))
    #expect(before > 0 && fraction.value == before)
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
