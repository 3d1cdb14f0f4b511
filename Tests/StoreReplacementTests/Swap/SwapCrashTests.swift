import CoreDataStore
import Foundation
import SQLite
import StoreReplacement
import TestSupport
import Testing

@Suite("A swap that is cut short", .temporaryFolder) struct SwapCrashTests {
  /// Runs the swap in a process that dies when the step begins.
  private func die(
    at step: SwapStep, _ sample: SwapSample, _ method: SwapChoices.Method = .replace
  ) async {
    await #expect(processExitsWith: .exitCode(9)) {
      [
        path = sample.store as String, step = step.rawValue as String,
        method = method.rawValue as String
      ] in
      let choices = SwapChoices(
        method: try #require(SwapChoices.Method(rawValue: method)), wait: SwapSample.wait)
      try SwapSample(of: path).swap(choices) { if $0.rawValue == step { _exit(9) } }
    }
  }

  @Test(
    "dies before any step: the store is whole, and the same command finishes",
    arguments: SwapStep.allCases,
    [
      ("DELETE", SwapChoices.Method.replace), ("WAL", .replace), ("DELETE", .rename),
      ("WAL", .rename),
    ])
  func everyStep(step: SwapStep, way: (journal: String, method: SwapChoices.Method)) async throws {
    let journal = way.journal
    let sample = try SwapSample(journal: journal)
    await die(at: step, sample, way.method)
    let isBefore = [.open, .backup, .blobs, .replace].contains(step)
    #expect(try sample.content() == (isBefore ? "old" : "new"))
    let result = try sample.swap(SwapChoices(method: way.method, wait: SwapSample.wait))
    #expect(result.warnings == [])
    #expect(result.state.phase == .done)
    #expect(try sample.content() == "new")
    #expect(try DatabaseFile.examine(sample.store).header.isWAL == (journal == "WAL"))
    let left = try FileManager.default.contentsOfDirectory(atPath: sample.externals).sorted()
    #expect(left == [SwapSample.both, SwapSample.onlyNew])
    let backups = try StoreBackup.list(sample.folder)
    #expect(backups.map(\.path) == [result.backup])
    try backups[0].verify()
    #expect(!FileManager.default.fileExists(atPath: sample.folder.nextPath))
  }

  @Test(
    "dies or fails in the middle of the exchange: the old store is whole, the next run finishes",
    arguments: [600, 5000, 9000, 20_000, 30_000, 40_000], [true, false])
  func torn(limit: Int, kills: Bool) async throws {
    let sample = try SwapSample(journal: "WAL")
    let old = try sample.image()
    await die(at: .replace, sample)
    await #expect(processExitsWith: kills ? .signal(SIGXFSZ) : .exitCode(4)) {
      [path = sample.store as String, limit = limit as Int, kills = kills as Bool] in
      let choices = SwapChoices(backupKeep: .none, wait: SwapSample.wait)
      do {
        try SwapSample(of: path).swap(choices) {
          if $0 == .replace { FileLimit.set(limit, kills: kills) }
        }
      } catch let error as Failure {
        exit(error.kind.status)
      }
    }
    #expect(try sample.content() == "old")
    // A process that is still there takes its journal away: the disk may be full because of it.
    if !kills { #expect(try sample.names().filter { $0.hasSuffix("-journal") } == []) }
    let copy = try TemporaryClone(of: StoreFiles(sample.store))
    let connection = try Connection(path: copy.path, mode: .foreignWritable)
    #expect(try connection.pageImage() == old)
    try connection.close()
    #expect(try sample.swap().warnings == [])
    #expect(try sample.content() == "new")
  }

  @Test(
    "dies while the application uses the store at once: the new store and its rows stay",
    arguments: [SwapStep.journal, .drop, .clean])
  func usedMeanwhile(step: SwapStep) async throws {
    let sample = try SwapSample()
    await die(at: step, sample)
    let app = try Connection(path: sample.store, mode: .own(create: false))
    try app.execute("UPDATE ZPERSON SET Z_OPT = 9 WHERE Z_PK = 3")
    try app.close()
    #expect(try sample.swap().warnings == [])
    #expect(try sample.content() == "new")
    let store = try Store(sample.store)
    #expect(try store.connection.integer("SELECT Z_OPT FROM ZPERSON WHERE Z_PK = 3") == 9)
  }

  @Test(
    "dies behind the exchange, then the application has the new store: no failure, and done later",
    arguments: [SwapStep.check, .journal])
  func heldMeanwhile(step: SwapStep) async throws {
    let sample = try SwapSample()
    await die(at: step, sample)
    let app = try Connection(path: sample.store, mode: .own(create: false))
    try app.execute("BEGIN; SELECT * FROM ZPERSON")
    await #expect(processExitsWith: .exitCode(1)) { [path = sample.store as String] in
      let result = try SwapSample(of: path).swap(SwapChoices(wait: .zero))
      exit(Int32(result.warnings.filter { $0.contains("is in use") }.count))
    }
    try app.execute("ROLLBACK")
    try app.close()
    #expect(try sample.swap().warnings == [])
    #expect(try sample.content() == "new")
  }

  @Test(
    "who wants to stop one that was cut short can do so before the exchange only",
    arguments: [SwapStep.replace, .check])
  func stopped(step: SwapStep) async throws {
    let sample = try SwapSample()
    await die(at: step, sample)
    if step == .check {
      #expect(try sample.swap { _ in throw CancellationError() }.warnings == [])
      #expect(try sample.content() == "new")
    } else {
      #expect(throws: CancellationError.self) {
        try sample.swap { _ in throw CancellationError() }
      }
      #expect(try sample.content() == "old")
    }
    #expect(try sample.swap().state.phase == .done)
  }

  @Test(
    "dies before the exchange, then the application writes: nothing of that is lost",
    arguments: [SwapStep.backup, .blobs, .replace])
  func changedMeanwhile(step: SwapStep) async throws {
    let sample = try SwapSample()
    await die(at: step, sample)
    let app = try Connection(path: sample.store, mode: .own(create: false))
    try app.execute("UPDATE ZPERSON SET Z_OPT = 9 WHERE Z_PK = 3")
    try app.close()
    let error = #expect(throws: Failure.self) { try sample.swap() }
    #expect(error?.kind == .busy)
    #expect(try sample.content() == "old")
    let store = try Store(sample.store)
    #expect(try store.connection.integer("SELECT Z_OPT FROM ZPERSON WHERE Z_PK = 3") == 9)
  }

  @Test(
    "a swap that is given up is undone, or finished where the store is the new one",
    arguments: [SwapStep.replace, .check])
  func giveUp(step: SwapStep) async throws {
    let sample = try SwapSample()
    let old = try sample.image()
    await die(at: step, sample)
    let isNew = step == .check
    let (run, outcome, _) = try RunAbandoning.abandon(sample.folder, wait: SwapSample.wait)
    #expect(run == SwapSample.run)
    #expect(outcome == (isNew ? .finished : .abandoned))
    #expect(try sample.content() == (isNew ? "new" : "old"))
    if !isNew { #expect(try sample.image() == old) }
    let left = try FileManager.default.contentsOfDirectory(atPath: sample.externals).sorted()
    #expect(left == [SwapSample.both, isNew ? SwapSample.onlyNew : SwapSample.onlyOld])
    #expect(!FileManager.default.fileExists(atPath: sample.folder.path))
    #expect(try RunAbandoning.abandon(sample.folder).outcome == .none)
  }

  @Test("a state that nobody can read is given up, and nothing else is changed")
  func unreadable() async throws {
    let sample = try SwapSample()
    await die(at: .blobs, sample)
    try Data("{".utf8).write(to: URL(filePath: sample.folder.statePath))
    #expect(throws: Failure.self) { _ = try RunState.read(sample.folder) }
    #expect(try RunAbandoning.abandon(sample.folder).outcome == .abandoned)
    #expect(try sample.content() == "old")
    #expect(try StoreBackup.list(sample.folder).count == 1)
  }

  @Test("a run that a process is at is not given up")
  func inUse() async throws {
    let sample = try SwapSample()
    let lock = try RunLock(sample.folder)
    #expect(try RunLock.isTaken(sample.folder))
    let error = #expect(throws: Failure.self) { _ = try RunAbandoning.abandon(sample.folder) }
    #expect(error?.kind == .busy)
    lock.unlock()
    #expect(try !RunLock.isTaken(sample.folder))
  }

  @Test("a step that fails before the exchange leaves the old store and can be done again")
  func failure() throws {
    struct Stop: Error {}
    let sample = try SwapSample()
    let old = try sample.image()
    for step in [SwapStep.open, .backup, .blobs, .replace] {
      #expect(throws: Stop.self) { try sample.swap { if $0 == step { throw Stop() } } }
      #expect(try sample.image() == old)
    }
    #expect(try sample.swap().warnings == [])
    #expect(try StoreBackup.list(sample.folder).count == 1)
  }

  @Test("a page of the backup that rots before the swap resumes makes a new backup")
  func rottenBackup() async throws {
    let sample = try SwapSample()
    await die(at: .blobs, sample)
    let backup = try StoreBackup.list(sample.folder)[0]
    var bytes = try Data(contentsOf: URL(filePath: backup.mainPath))
    bytes[bytes.count - 10] ^= 1
    try bytes.write(to: URL(filePath: backup.mainPath))
    let result = try sample.swap()
    #expect(result.backup != backup.path)
    try StoreBackup.read(try #require(result.backup)).verify()
  }
}
