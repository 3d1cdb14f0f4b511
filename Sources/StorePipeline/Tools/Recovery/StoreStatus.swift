internal import CoreDataStore
internal import Formats
public import Foundation
internal import StoreMigration
internal import StoreReplacement

/// The state of a store: a run at work or cut short, backups, rejected objects.
public struct StoreStatus: Sendable, Hashable {
  /// A run that is at work, was cut short, or is over and has left its record.
  public struct Run: Sendable, Hashable {
    /// Its id.
    public var id: String
    /// "run", or "restore" when a backup is put back.
    public var work: String
    /// How far it is: "created", "copying", "validated", "backedUp", "swapping", "swapped", "done".
    public var phase: String
    /// Whether a process is at it.
    public var isRunning: Bool
    /// The step of a chain of versions, counted from 1.
    public var step: Int
    /// The stage at work, or at work when it was cut short.
    public var stage: String?
    /// The entity at work.
    public var entity: String?
    /// How many of its objects are done.
    public var rows: Int
    /// How many there are.
    public var total: Int?
    /// When it began.
    public var started: Date
    /// The words of the command that resumes it.
    public var command: [String]
    /// What has changed since, so that the run cannot be resumed: "pipeline", "script a.lua",
    /// "models", "source"; "store" when the store in place is not the one that the run put there.
    public var changed: [String] = []

    /// What ended the run, where that was a script or a value: "an error in a.lua".
    package var failed: String?

    /// Which rules objects break, where the run is over because of that: "3 objects break ...".
    package var refusal: String?

    /// Whether `pipeline resume` leaves it to the user to give the command.
    package var needsItsCommand = false

    /// Whether the same command resumes it.
    public var isResumable: Bool { phase != "done" && changed.isEmpty }
  }

  /// The store's path, links resolved.
  public var store: String
  /// The work folder.
  public var work: String
  /// The run; nil when there is none.
  public var run: Run?
  /// Why the run's state cannot be read, or is not to be believed.
  public var problem: String?
  /// The backups, the oldest first.
  public var backups: [BackupFacts]
  /// How many objects scripts have rejected.
  public var rejects: Int
  /// The first of them that wait to be retried.
  public var rejected: [RetrySummary.Waiting] = []
}

extension StoreRecovery {
  /// Says in which state the store is; nothing is changed.
  ///
  /// - Parameter verifies: Whether each backup is read through and opened.
  /// - Returns: The run, as far as there is one, and the backups.
  /// - Throws: `Failure` when the work folder cannot be read.
  public func status(verifies: Bool = false) throws -> StoreStatus {
    try checkPresence()
    var (state, problem) = stateOrProblem()
    if let state, (try? state.lacksEvidence(folder)) == true { problem = state.contradiction }
    let backups = try StoreBackup.list(folder).map { backup in
      BackupFacts(backup, isVerified: verifies ? (try? backup.verify()) != nil : nil)
    }
    var status = StoreStatus(
      store: folder.store, work: folder.work, run: try state.map(run), problem: problem,
      backups: backups, rejects: try rejects)
    if status.rejects > 0 {
      status.rejected = (try? rejects(limit: Self.mostListed).objects) ?? []
    }
    return status
  }

  /// How many rejected objects are listed; `pipeline rejects` has all of them.
  private static let mostListed = 10

  /// How many rejected objects wait to be retried; of a store that cannot be read, all of them.
  private var rejects: Int {
    get throws {
      guard let runs = try? Store(folder.store).metadata.runs else {
        return try RejectStore.count(at: folder.rejectsPath)
      }
      return try RejectStore.waiting(at: folder.rejectsPath, log: runs).reduce(0) { $0 + $1.count }
    }
  }

  private func stateOrProblem() -> (state: RunState?, problem: String?) {
    do {
      return (try RunState.read(folder), nil)
    } catch let error as Failure {
      return (nil, "\(error.subject): \(error.why)")
    } catch {
      return (nil, "\(error)")
    }
  }

  private func run(_ state: RunState) throws -> StoreStatus.Run {
    let progress = state.phase == .done ? nil : RunProgress.read(folder)
    var run = StoreStatus.Run(
      id: state.run, work: state.work.rawValue, phase: state.phase.rawValue,
      isRunning: try RunLock.isTaken(folder), step: min(state.step + 1, max(1, state.steps)),
      stage: progress?.stage,
      entity: progress?.entity, rows: progress?.rows ?? 0, total: progress?.total,
      started: RunID(text: state.run).start, command: state.command)
    if state.phase < .swapping { run.failed = state.failure }
    if state.phase == .done { run.refusal = refusal(of: state) }
    return run
  }

  /// Why a run is over without a new store, by the record that it left.
  private func refusal(of state: RunState) -> String? {
    guard let bytes = try? folder.record(),
      let record = try? JSONValue(reading: bytes, limits: .json),
      record["run"]?.string == state.run,
      record["outcome"]?.string == RunSummary.Outcome.invalid.word,
      let count = record["count"]?.integer, let target = record["target"]?.string
    else { return nil }
    let sum = "the new store failed \(Plural.text(Int(count), "check")) for \(target)"
    guard let first = record["failures"]?.array?.first, let rule = first["rule"]?.string else {
      return sum
    }
    // An expectation is about no object.
    let key = first["pk"]?.integer.flatMap { $0 == 0 ? nil : " Z_PK \($0)" } ?? ""
    let names = [(first["entity"]?.string ?? "") + key, first["property"]?.string ?? "", rule]
    return "\(sum), first \(names.filter { !$0.isEmpty }.joined(separator: ", "))"
  }

  /// What has changed since a run was cut short, of all that it was built from.
  ///
  /// From the exchange on nothing of that matters any more.
  ///
  /// - Parameter plan: What the same command would do now; nil where that is unknown.
  /// - Returns: Their names.
  /// - Throws: `Failure` when the store cannot be read.
  public func changes(since plan: Plan?) throws -> [String] {
    guard let state = try RunState.read(folder) else { return [] }
    if (try? state.lacksEvidence(folder)) == true { return ["store"] }
    guard state.work == .run, state.phase < .swapping else { return [] }
    let isOther = try state.source.map { try SourceSnapshot.hasChanged(folder, since: $0) } ?? false
    return (plan.map { LockedRun.changes(state, $0.digests) } ?? []) + (isOther ? ["source"] : [])
  }

  /// The id of a run that was cut short, with the words of its command; nil when there is none.
  package func interruptedRun() throws -> (id: String, command: [String])? {
    try checkPresence()
    guard let state = try RunState.look(at: folder), state.phase != .done else { return nil }
    return (state.run, state.command)
  }
}
