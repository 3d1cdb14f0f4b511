import Foundation
import Lua
import StoreMigration
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

/// Many objects, and a script that any number of workers runs for them.
protocol WorkersSample {
  /// The entity whose objects the script is given.
  static var entity: String { get }
  /// How many of them are done at a time.
  ///
  /// Where a chunk ends must not depend on how busy the machine is: a run that stops keeps the
  /// chunks before.
  static var chunk: Int { get }
  var script: ScriptText { get }
  var stores: BuildSample { get }

  /// The rows of the new store that a run came to.
  func rows(_ builder: StoreBuilder) throws -> [String]
}

/// What a run of a ``WorkersSample`` came to.
struct WorkersOutcome: Equatable {
  var rows: [String]
  var counts: ScriptCounts
  var failures: [String]
  var warnings: [ScriptWarning]
  var rejects: [String]
  var error: String?
}

extension WorkersSample {
  /// A file of the sample.
  func path(_ name: String) -> String { stores.path(name) }

  /// The store as it is being built.
  func builder() throws -> StoreBuilder { try stores.builder() }

  /// The script at work.
  func run(
    _ builder: StoreBuilder, workers: Int, _ change: (inout ScriptOptions) -> Void = { _ in }
  ) throws -> ScriptRun {
    var options = ScriptOptions(
      runID: "run", now: Date(timeIntervalSinceReferenceDate: 0), rejectsPath: path("rejects"))
    options.workers = workers
    change(&options)
    return try ScriptRun(
      try script.outline(), builder, entity: Self.entity, options,
      limits: ChunkLimits(rows: Self.chunk, time: .seconds(3600)))
  }

  /// The whole of the work, by so many workers, and how many objects they had run the script for;
  /// nothing of it stays.
  func outcome(
    workers: Int, _ change: (inout ScriptOptions) -> Void = { _ in }
  ) throws -> (WorkersOutcome, ahead: Int) {
    let builder = try builder()
    defer { try? remove(builder) }
    let run = try run(builder, workers: workers, change)
    var error: String?
    do {
      try ScriptSample.finish(run)
    } catch let failure {
      error = "\(failure)"
      run.endWorkers()
    }
    return (try outcome(of: run, builder, error), run.takenAhead)
  }

  /// Closes the store that is being built, and removes it.
  func remove(_ builder: StoreBuilder) throws {
    try builder.close()
    for name in ["next.sqlite", "next.sqlite-journal", "rejects"]
    where FileManager.default.fileExists(atPath: path(name)) {
      try FileManager.default.removeItem(atPath: path(name))
    }
  }

  /// What a run has come to.
  func outcome(
    of run: ScriptRun, _ builder: StoreBuilder, _ error: String? = nil
  ) throws -> WorkersOutcome {
    var rejects: [String] = []
    // A run that failed has the file open.
    if error == nil, FileManager.default.fileExists(atPath: path("rejects")) {
      let store = try RejectStore(path: path("rejects"))
      try store.forEach(run: "run") { rejects.append("\($0)") }
      try store.close()
    }
    return WorkersOutcome(
      rows: try rows(builder), counts: run.counts, failures: run.failures.map { "\($0)" },
      warnings: run.warnings, rejects: rejects, error: error)
  }

  /// Checks that a run which is cancelled while its script never ends is over.
  func cancel(workers: Int) throws {
    let builder = try builder()
    let canceller = LuaCanceller()
    let run = try run(builder, workers: workers) {
      $0.time = nil
      $0.canceller = canceller
    }
    try ScriptThread.start {
      Thread.sleep(forTimeInterval: 0.2)
      canceller.cancel()
    }
    #expect(throws: CancellationError.self) { try ScriptSample.finish(run) }
    run.endWorkers()
    try remove(builder)
  }

  /// Checks that the one that writes does all where no worker can open the source.
  func checkWithoutConnection() throws {
    let (alone, _) = try outcome(workers: 1)
    let builder = try builder()
    let run = try run(builder, workers: 3)
    let (path, away) = (path("source.sqlite"), path("away.sqlite"))
    try FileManager.default.moveItem(atPath: path, toPath: away)
    try ScriptSample.finish(run)
    #expect(try outcome(of: run, builder) == alone)
    #expect(run.takenAhead == 0)
    try builder.close()
  }
}
