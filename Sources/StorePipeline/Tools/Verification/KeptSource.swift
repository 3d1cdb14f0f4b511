internal import CoreDataStore
internal import Formats
internal import OperatingSystem
internal import StoreMigration
internal import StoreReplacement

/// The run that made a store what it is, with all that it takes to do it again.
struct KeptSource {
  /// The store's files.
  let folder: WorkFolder
  /// The runs that the store has been through, by its own log.
  let runs: [String]
  /// The keys that earlier retries began above, by the run, where they went through several steps.
  let highestKeys: [String: Int64]
  /// What the store was when its log was read.
  let moment: StoreMoment?
  /// Whether the store is mirrored to CloudKit.
  let isMirrored: Bool
  /// The schema of the store, which the run has made.
  let schema: StoreSchema
  /// What was kept of the run, and where.
  let place: ProvenancePlace
  /// The store that the run read.
  let backup: StoreBackup
  /// The plan of the run, made again of the backup.
  let plan: Plan
  /// The stages that its pipeline was read with.
  let stages: StageRegistry

  /// What was kept of the run.
  var kept: BackupProvenance { place.kept }

  /// Finds it; `doing` says what for.
  ///
  /// - Throws: `Failure` when something of it is not there, or a script or a
  ///   model is not what it was.
  init(
    _ folder: WorkFolder, against backup: String?, _ stages: StageRegistry, doing: String,
    checksScripts: Bool = true
  ) throws {
    self.folder = folder
    // Closed at the end: a file is opened once at a time, and a swap has to open it.
    let store = try Store(folder.store)
    (runs, moment, isMirrored) = (store.metadata.runs, store.moment, store.isMirrored)
    highestKeys = RunRecord.highestKeys(in: store.metadata.log)
    guard let run = store.metadata.lastRun else {
      throw Self.refusal(doing, folder, "No run of a pipeline has made the store what it is.")
    }
    guard let place = try ProvenancePlace.find(run, folder) else {
      throw Self.refusal(
        doing, folder,
        "Nothing is kept of the run \(run): its backup is gone.\(folder.otherPlace)")
    }
    self.place = place
    self.backup = try Self.backup(backup, place.kept, folder, doing)
    plan = try Self.plan(place.kept, of: self.backup, stages)
    self.stages = stages.with(plan.pipeline.plugins.map(\.stage))
    try Self.check(plan, place.kept, folder, doing, checksScripts: checksScripts)
    guard store.metadata.hashes == VersionHashes(of: plan.target).entities else {
      throw Failure(
        .unusable, what: "cannot \(doing)", subject: folder.store,
        why: "It is not of the version \(plan.target.name), which the run made.",
        remedy: "Something else has migrated it again: compare them with "
          + "`\(SuggestedCommand.text(["diff", self.backup.mainPath, folder.store]))`.")
    }
    schema = try store.expectedSchema(of: plan.target)
  }

  private static func refusal(_ doing: String, _ folder: WorkFolder, _ why: String) -> Failure {
    Failure(
      .unusable, what: "cannot \(doing)", subject: folder.store, why: why,
      remedy: "See which backups there are with `\(folder.command("status"))`.")
  }

  private static func backup(
    _ path: String?, _ kept: BackupProvenance, _ folder: WorkFolder, _ doing: String
  ) throws -> StoreBackup {
    if let path { return try BackupSet.read(path).part(for: folder.store) }
    guard let backup = try StoreBackup.list(folder).last(where: { $0.run == kept.basis }) else {
      throw refusal(doing, folder, "The backup that the run \(kept.basis) made is gone.")
    }
    return backup
  }

  private static func plan(
    _ kept: BackupProvenance, of backup: StoreBackup, _ stages: StageRegistry
  ) throws -> Plan {
    let file = PipelineFile(try pinned(kept), path: "\(backup.path)/run.json")
    let pipeline = try file.pipeline(PipelineSettings(), stages: stages)
    let settings = PlanSettings(acceptedLosses: kept.acceptedLosses, force: kept.isForced)
    return try Planner(pipeline: pipeline, settings: settings, stages: stages)
      .plan(store: try Store(backup.mainPath))
  }

  /// The pipeline as it was, with the version that was the current one then.
  private static func pinned(_ kept: BackupProvenance) throws -> String {
    let document = try JSONValue(reading: Array(kept.pipeline.utf8))
    guard document["target"]?.string == nil, document["models"]?.array?.count == 1 else {
      return kept.pipeline
    }
    let members = (document.members ?? []).filter { $0.name != "target" }
    return JSONValue.object(members + [.init("target", .string(kept.target))]).text(.pretty)
  }

  /// What to do where something has changed: a corrected script may be what a retry waits for.
  private static func remedy(
    _ changed: Set<String>, _ kept: BackupProvenance, _ folder: WorkFolder
  ) throws -> String {
    let isScripts = changed.allSatisfy { $0.hasPrefix("script ") }
    let count =
      try isScripts && FileSystem.entry(following: folder.rejectsPath) != nil
      ? RejectStore.waiting(at: folder.rejectsPath, log: [kept.run]).reduce(0) { $0 + $1.count } : 0
    guard count > 0 else {
      return "Put it back as it was then; what the run made cannot be made again otherwise."
    }
    return """
      If you corrected it for the rejected objects: `\(folder.command("retry"))` runs it on the \
      \(Plural.text(count, "object")) that the run rejected and puts what it makes into the store; \
      `verify` then compares all objects. To verify the store as it is, put the script back as it \
      was.
      """
  }

  private static func check(
    _ plan: Plan, _ kept: BackupProvenance, _ folder: WorkFolder, _ doing: String,
    checksScripts: Bool
  ) throws {
    let now = plan.digests.parts
    let changed = Set(now.keys).union(kept.digests.keys).filter { name in
      name != "pipeline" && (checksScripts || name == "models") && now[name] != kept.digests[name]
    }
    guard changed.isEmpty else {
      let names = changed.sorted().joined(separator: ", ")
      throw Failure(
        .misuse, what: "cannot \(doing)", subject: folder.store,
        why: "Since the run \(kept.run), what it was built from has changed: \(names).",
        remedy: try remedy(changed, kept, folder))
    }
    guard plan.problems.isEmpty else { throw PipelineFileError(plan.problems) }
  }
}

extension WorkFolder {
  /// Where else a backup may be; empty where the user has named the folder.
  var otherPlace: String {
    let isNamed = work != Self.usualWork(of: store)
    return isNamed ? "" : " If the run was given --work, give this command the same folder."
  }
}
