import CoreDataStore
import Foundation
import StorePipeline
import StorePrograms
import TestSupport
import Testing

@Suite("Hooks of a run", .temporaryFolder)
struct HookRunTests {
  private static let tell = """
    #!/bin/sh
    echo "$1 $PIPELINE_MOMENT $PIPELINE_STATUS $PIPELINE_OUTCOME" >> told
    [ "$1" != fail ]
    """

  /// The sample with its pipeline and these stages above the swap, below it, and the program.
  private static func sample(
    _ above: String, _ below: String = "", adding sql: String = ""
  ) throws -> (RunSample, Plan, RunOptions) {
    let sample = try RunSample(adding: sql)
    try Data(tell.utf8).write(to: URL(filePath: sample.path("tell")))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: sample.path("tell"))
    let text =
      try String(contentsOfFile: sample.path("notes.pipeline"), encoding: .utf8)
      .replacing("stage \"swap\"", with: "\(above)\nstage \"swap\"") + "\n\(below)\n"
    let plan = try sample.plan(text)
    var options = RunOptions()
    let list = TrustList(path: sample.path("trusted.json"))
    try list.add(#require(try HookTrust(plan.pipeline, environment: options.environment)))
    options.trusted = list
    return (sample, plan, options)
  }

  private static func told(_ sample: RunSample) -> [String] {
    let text = (try? String(contentsOfFile: sample.path("told"), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  private static let everywhere = """
    stage "hook" {
      on = { "started", "swapped", "failed", "finished" }, command = { "./tell", "m" },
    }
    """

  @Test(
    "programs learn of each moment, and those without one run at their turn",
    arguments: ["", "on = {}, "])
  func moments(none: String) async throws {
    let (sample, plan, options) = try Self.sample(
      "stage \"hook\" { \(none)command = { \"./tell\", \"turn\" } }", Self.everywhere)
    let summary = try await sample.run(plan, options)
    #expect(summary.outcome == .swapped)
    #expect(summary.warnings == [])
    #expect(
      Self.told(sample) == ["m started", "turn", "m swapped", "m finished 0 swapped"])
  }

  @Test("a program that fails before the swap ends the run, and the store is as it was")
  func refusal() async throws {
    let (sample, plan, options) = try Self.sample(
      "stage \"hook\" { command = { \"./tell\", \"fail\" } }", Self.everywhere)
    let before = try sample.bytes()
    let failure = await #expect(throws: Failure.self) { try await sample.run(plan, options) }
    #expect(failure?.why == "It ended with status 1.")
    // With -q nothing stands above: the remedy says how to see it.
    #expect(failure?.remedy.hasPrefix("Without -q the run shows what it prints.") == true)
    #expect(try sample.bytes() == before)
    #expect(
      Self.told(sample) == ["m started", "fail", "m failed 1 failed", "m finished 1 failed"])
  }

  @Test("a store that is done, or has only its exchange to finish, starts nothing at `started`")
  func done() async throws {
    let (sample, plan, options) = try Self.sample("", Self.everywhere)
    _ = try await sample.run(plan, options)
    let told = Self.told(sample)
    let fresh = try Planner(pipeline: plan.pipeline).plan(store: try Store(sample.store))
    let again = try await sample.run(fresh, options)
    #expect(again.outcome == .upToDate)
    let now = Self.told(sample)
    #expect(now.starts(with: told) && !now[told.count...].contains("m started"), "\(now)")
  }

  @Test("a resumed run starts the programs of `started` again")
  func resumed() async throws {
    let (sample, plan, options) = try Self.sample("", Self.everywhere)
    var stopped = options
    stopped.until = "copy"
    _ = try await sample.run(plan, stopped)
    _ = try await sample.run(plan, options)
    #expect(Self.told(sample).count { $0 == "m started" } == 2, "\(Self.told(sample))")
  }

  @Test("one that fails behind the swap is a warning")
  func warning() async throws {
    let (sample, plan, options) = try Self.sample(
      "", "stage \"hook\" { command = { \"./tell\", \"fail\" } }")
    let summary = try await sample.run(plan, options)
    #expect(summary.outcome == .swapped)
    #expect(summary.warnings.count == 1)
    #expect(summary.warnings.first?.contains("It ended with status 1.") == true)
  }

  @Test("one that nobody trusts is refused before anything is done, with the line to type")
  func untrusted() async throws {
    var (sample, plan, options) = try Self.sample(Self.everywhere)
    options.trusted = TrustList(path: sample.path("none.json"))
    let (other, trust) = (plan, options)
    let failure = await #expect(throws: Failure.self) { try await sample.run(other, trust) }
    #expect(failure?.what == "cannot run programs that are not trusted")
    let reason = failure?.description.split(separator: "\n").dropFirst().first
    #expect(reason == "It starts these programs, and has not been trusted.")
    #expect(failure?.remedy.contains("pipeline trust \(sample.path("test.pipeline"))") == true)
    #expect(Self.told(sample) == [])
    #expect(!FileManager.default.fileExists(atPath: sample.path("Notes.sqlite.pipeline")))
    // A program that is changed after it was trusted is another one.
    options.trusted = TrustList(path: sample.path("trusted.json"))
    try Data("#!/bin/sh\nrm -r .\n".utf8).write(to: URL(filePath: sample.path("tell")))
    let changed = options
    let second = await #expect(throws: Failure.self) { try await sample.run(other, changed) }
    #expect(
      second?.why.hasPrefix("Since it was trusted, \(sample.path("tell")) changed.\n") == true)
    #expect(second?.remedy.contains("A command must not name") == false)
  }

  @Test("a file that a command names and its program writes is named when it has changed")
  func written() async throws {
    let (sample, plan, options) = try Self.sample(
      "", "stage \"hook\" { command = { \"./tell\", \"told\" } }")
    #expect(try await sample.run(plan, options).warnings == [])
    _ = try StoreRecovery(store: sample.store).rollback()
    let fresh = try Planner(pipeline: plan.pipeline).plan(store: try Store(sample.store))
    let failure = await #expect(throws: Failure.self) { try await sample.run(fresh, options) }
    #expect(
      failure?.why.hasPrefix("Since it was trusted, \(sample.path("told")) changed.\n") == true)
    #expect(
      failure?.remedy.contains("A command must not name a file that its program writes") == true)
  }

  @Test("a name of a fact that is not there is found when the file is planned")
  func names() throws {
    let (_, plan, _) = try Self.sample(
      "stage \"hook\" { command = { \"./tell\", \"${sattus}\" } }")
    #expect(
      plan.problems.map(\.message) == [
        "there is no '${sattus}'; did you mean '${status}'?"
      ])
  }
}

// What is left to do of a run that was killed as the new store took the old one's place.
extension HookRunTests {
  private static let turn = """
    stage "hook" { command = { "./tell", "${source} ${new_store}" } }
    stage "hook" { on = { "swapped" }, command = { "./tell", "m" } }
    """

  private static func killed(_ below: String) async throws -> (RunSample, Plan, RunOptions) {
    let (sample, plan, options) = try sample("", below)
    try Data(below.utf8).write(to: URL(filePath: sample.path("below")))
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [folder = sample.folder.path as String] in
      let notes = try String(contentsOfFile: folder + "/notes.pipeline", encoding: .utf8)
      let below = try String(contentsOfFile: folder + "/below", encoding: .utf8)
      let text = notes.replacing("stage \"swap\"", with: "\nstage \"swap\"") + "\n\(below)\n"
      let pipeline = try PipelineFile(text, path: folder + "/test.pipeline").pipeline()
      let store = folder + "/Notes.sqlite"
      let plan = try Planner(pipeline: pipeline).plan(store: try Store(store))
      var options = RunOptions()
      options.trusted = TrustList(path: folder + "/trusted.json")
      let run = Run(plan, store: store, options: options, programs: SystemPrograms())
      // The new store is compared with what it was to be: it is in its place.
      _ = try await run.execute { event in
        if event.stage == "swap", event.rows == 4 { kill(getpid(), SIGKILL) }
      }
    }
    #expect(told(sample) == [])
    let now = try Planner(pipeline: plan.pipeline).plan(store: try Store(sample.store))
    return (sample, now, options)
  }

  @Test("programs below a swap that another process began learn what the store was")
  func finished() async throws {
    let (sample, plan, options) = try await Self.killed(Self.turn)
    let summary = try await sample.run(plan, options)
    #expect(summary.outcome == .swapped)
    #expect(Self.told(sample) == ["m swapped", "Notes"])
  }

  @Test("a run that is to end with the swap does so when it finishes one, and says what is left")
  func finishedUntil() async throws {
    var (sample, plan, options) = try await Self.killed(Self.turn)
    options.until = "swap"
    let summary = try await sample.run(plan, options)
    #expect(Self.told(sample) == ["m swapped"])
    #expect(summary.warnings.last?.hasSuffix("in its place: hook") == true)
  }

  @Test("a run that finishes the swap of another pipeline file's run starts nothing of its own")
  func finishedForAnother() async throws {
    let other = "stage \"hook\" { on = { \"failed\" }, command = { \"./tell\", \"x\" } }"
    let (sample, _, options) = try await Self.killed(other)
    let text = try String(contentsOfFile: sample.path("notes.pipeline"), encoding: .utf8)
    let plan = try sample.plan(text + "\n" + Self.turn + "\n" + Self.everywhere + "\n")
    let list = TrustList(path: sample.path("trusted.json"))
    try list.add(#require(try HookTrust(plan.pipeline, environment: options.environment)))
    let summary = try await sample.run(plan, options)
    #expect(summary.outcome == .swapped)
    #expect(Self.told(sample) == [])
    #expect(summary.warnings.contains { $0.contains("It was of another pipeline file") })
    #expect(try sample.version() == "Notes 2")
  }
}
