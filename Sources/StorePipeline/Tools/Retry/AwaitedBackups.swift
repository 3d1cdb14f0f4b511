internal import CoreDataStore
internal import StoreMigration
internal import StoreReplacement

// The backups that rejected objects wait for. Links and large values of these objects are nowhere
// else.
extension WorkFolder {
  /// The runs without whose backups the objects that wait could not be put in: those of the store,
  /// by nil, and those of the stores in backups, which may be put back, by the backups' runs.
  func awaitedRuns() throws -> [String?: Set<String>] {
    guard PipelinePath.exists(rejectsPath) else { return [:] }
    let present = try? Store(store, isBrief: true).metadata
    var awaited: [String?: Set<String>] = [:]
    awaited[nil] = try present.map(awaitedRuns(of:)) ?? RejectStore.runs(at: rejectsPath)
    for backup in try StoreBackup.list(self) {
      // A backup that cannot be read now may be put back later: what it needs is not known.
      let metadata = try? Store(backup.mainPath, isBrief: true).metadata
      awaited[backup.run] =
        try metadata.map(awaitedRuns(of:)) ?? RejectStore.runs(at: rejectsPath)
    }
    return awaited
  }

  private func awaitedRuns(of metadata: Metadata) throws -> Set<String> {
    var runs = Set(try RejectStore.waiting(at: rejectsPath, log: metadata.runs).map(\.run))
    // What the next retry begins with was kept by the last one.
    if let last = metadata.lastRun, let basis = self.basis(of: last), runs.contains(basis) {
      runs.insert(last)
    }
    return runs
  }

  /// Why a backup that rejected objects wait for stays, and what settles that.
  func reason(toLeave backup: StoreBackup, _ awaited: [String?: Set<String>]) -> String {
    if awaited[nil]?.contains(backup.run) == false,
      let other = try? StoreBackup.list(self).last(where: {
        $0.run != backup.run && awaited[$0.run]?.contains(backup.run) == true
      })
    {
      return "rejected objects of the store in \(other.path) need it, should that be put back; "
        + "it goes with that backup"
    }
    let last = (try? Store(store, isBrief: true).metadata)?.lastRun
    let settling = "`\(command(["clean", "--rejects", store]))` gives them up"
    guard let last, backup.run == last || backup.run == basis(of: last) else {
      return "it has the values and links of rejected objects that cannot be put in any more, "
        + "because of a later run: `\(command(["rejects", store]))` lists them, \(settling)"
    }
    return "rejected objects wait for it: `\(command("retry"))` puts them in, \(settling)"
  }

  private func basis(of run: String) -> String? {
    (try? ProvenancePlace.find(run, self))?.kept.basis
  }

  /// Gives up the objects that wait, and counts them.
  ///
  /// - Throws: ``Failure`` when a run was cut short, which may be putting them in.
  func giveUpRejects() throws -> Int {
    if let state = try RunState.read(self), state.phase != .done {
      throw Failure(
        .misuse, what: "cannot give up the rejected objects", subject: store,
        why: "A run was cut short.",
        remedy: "`\(command("resume"))` finishes it; `\(command("abandon"))` gives it up.")
    }
    guard PipelinePath.exists(rejectsPath) else { return 0 }
    let runs = try Store(store, isBrief: true).metadata.runs
    let rejects = try RejectStore(path: rejectsPath)
    defer { try? rejects.close() }
    return try rejects.giveUp(log: runs)
  }

  /// What is to be said before a run, after which objects that wait cannot be put in; nil where
  /// none waits that could be now.
  func retryEnds() throws -> String? {
    guard PipelinePath.exists(rejectsPath),
      let metadata = try? Store(store, isBrief: true).metadata,
      let basis = metadata.lastRun.flatMap({ self.basis(of: $0) })
    else { return nil }
    let waiting = try RejectStore.waiting(at: rejectsPath, log: metadata.runs)
    let count = waiting.filter { $0.run == basis }.reduce(0) { $0 + $1.count }
    guard count > 0 else { return nil }
    var names: [String] = []
    try RejectStore.forEach(at: rejectsPath, of: basis, metadata.runs) { reject, later in
      if later == nil, names.count < 3 { names.append("\(reject.entity) \(reject.key)") }
    }
    if count > names.count { names.append("...") }
    let backup = try StoreBackup.list(self).last { $0.run == basis }
    let objects = "\(Plural.text(count, "rejected object")) \(count == 1 ? "waits" : "wait")"
    return "\(objects) to be retried (\(names.joined(separator: ", "))): after this run that is "
      + "impossible. Put in what you need first, with `\(command("retry"))`"
      + (backup.map { "; what was rejected is in the backup \($0.path)" } ?? "")
  }
}

extension Plan {
  /// Adds to the warnings what a run of the plan means for rejected objects that wait.
  package mutating func warn(of store: String, work: String? = nil) throws {
    guard declarations.swap != nil, !steps.isEmpty,
      let warning = try WorkFolder(store: store, work: work).retryEnds()
    else { return }
    warnings.append(warning)
  }
}

extension RunBasis {
  /// What a plan warns of, and what a run of it ends the possibility of.
  func warnings(of plan: Plan) throws -> [String] {
    var plan = plan
    if options.folder == nil, options.output == nil, options.until == nil {
      try plan.warn(of: store, work: options.work)
    }
    return plan.warnings
  }
}

extension [PlannedStep] {
  /// The scripts that may reject objects of which no backup would keep links and large values.
  func rejectsWithoutBackup(_ declarations: StageDeclarations, file: String) -> [Problem] {
    guard declarations.swap?.backupKeep == BackupsKept.none else { return [] }
    var seen: Set<Problem> = []
    return flatMap(\.scripts).filter(\.mayReject).map { script in
      Problem(
        file: file, line: script.stage.line(of: "on_error"),
        message: "\(script.entity): what is rejected would be lost, because 'backup = false' in "
          + "stage 'swap' keeps no copy of its links and files; write backup = { keep = 1 } "
          + "there, or on_error = \"stop\" here")
    }.filter { seen.insert($0).inserted }
  }
}

extension PlannedScript {
  /// Whether it may reject objects that it is given.
  var mayReject: Bool {
    outline.needsLua && (transform.onError == .reject || outline.mentions.contains("reject"))
  }
}
