internal import CoreDataStore
internal import Foundation
internal import StoreReplacement

/// What can be refused before a run does anything.
struct RunCheck {
  private let run: Run

  init(_ run: Run) { self.run = run }

  /// Refuses to write to what is not the run's own.
  private func checkFiles() throws(Failure) {
    let (options, pipeline) = (run.options, run.plan.pipeline)
    if options.dryRun == nil {
      try ProtectedFiles.refuseBackup(
        store: run.store, work: options.work, isReplaced: options.output == nil)
    }
    var written = [
      options.report.map { WrittenFile($0, "--report", .new) },
      options.output.map { WrittenFile($0, "--output", .store) },
      options.dryRun?.keep.map { WrittenFile($0, "--keep", .store) },
      options.work.map { WrittenFile($0, "--work", .work) },
    ].compactMap(\.self)
    for file in run.plan.declarations.files where options.dryRun == nil {
      // A run of what is current ends before it, perhaps long after a stage wrote what is there.
      if run.plan.isCurrent, file.isBehindDetection { continue }
      let (path, stage) = (pipeline.resolve(file.path), file.stage)
      if isOwnBackup(path) { continue }
      written.append(
        WrittenFile(
          path, "stage \"\(stage.name)\", line \(stage.line)", file.isFolder ? .folder : .new))
    }
    // Most runs write nowhere else: nothing is looked at for them.
    if !written.isEmpty {
      var files = ProtectedFiles()
      files.protect(store: run.store, work: options.work)
      files.protect(pipeline, stages: run.stages)
      for file in written { try files.check(file) }
    }
    if run.options.resumed != nil { try checkRecord(written) }
    if !run.plan.isCurrent { try checkAbsence(of: written) }
  }

  /// Refuses stages that write outside the store's folder when a record names the pipeline, and not
  /// the user: another process may have written the record.
  private func checkRecord(_ written: [WrittenFile]) throws(Failure) {
    let folder = FilePlace(
      URL(filePath: FilePlace(run.store).path).deletingLastPathComponent().path)
    guard let file = written.first(where: { !FilePlace($0.path).isWithin(folder) }) else { return }
    throw Failure(
      .misuse, what: "cannot resume the run", subject: run.store,
      why: "\(file.name) of the pipeline \(run.plan.pipeline.file) writes to \(file.path), "
        + "outside the store's folder, and the record that names the pipeline can be forged.",
      remedy: "If the pipeline is yours, give the command itself that began the run.")
  }

  /// Whether the run that was cut short has made this backup, which the stage compares with the
  /// store.
  private func isOwnBackup(_ path: String) -> Bool {
    guard let folder = try? WorkFolder(store: run.store, work: run.options.work),
      let state = try? RunState.read(folder), state.phase != .done,
      let made = try? BackupSet.read(path).parts
    else { return false }
    guard made.map(\.run) == [state.run] else { return false }
    // One that starts over has a stage that wants it to be of the store as it is.
    return !run.options.restarts || (try? SourceSnapshot.image(of: folder)) == made[0].image
  }

  /// Whether the run that was cut short has put its new store there, as all but its end; where that
  /// cannot be seen, the run says why.
  private func isOwnOutput(_ path: String) -> Bool {
    guard run.options.output == path, !run.options.restarts,
      let folder = try? WorkFolder(store: run.store, work: run.options.work),
      let state = try? RunState.read(folder), state.work == .run, state.phase == .validated
    else { return false }
    return (try? StoreOutput.isPlaced(state, at: path, in: folder)) ?? true
  }

  /// Nothing is written over, and an hour's work is not done for nothing.
  private func checkAbsence(of written: [WrittenFile]) throws(Failure) {
    for file in written where file.form == .store {
      let places = file.places
      guard let taken = places.firstIndex(where: \.isThere), !isOwnOutput(file.path) else {
        continue
      }
      throw Failure(
        .misuse, what: "cannot put the new store there",
        subject: taken == 0 ? file.path : places[taken].path,
        why: "Something is there already.", remedy: "Give another path, or move it away.")
    }
  }

  /// The last run of the store, whose report the same command may find.
  private var earlier: String? {
    guard run.options.dryRun == nil,
      let folder = try? WorkFolder(store: run.store, work: run.options.work)
    else { return nil }
    return (try? RunState.read(folder))?.run
  }

  /// Looks at the stages there are, their programs, the stage to stop at and the report's place.
  func check() throws {
    try checkFiles()
    if let report = run.options.report {
      try RunReportFile(report).check(runs: [earlier].compactMap(\.self))
    }
    let names = RunSchedule(run.plan, run.options, stages: run.stages).names
    try run.checkPrograms()
    if let unknown = names.first(where: { run.stages[$0] == nil }) {
      throw Failure(
        .misuse, what: "cannot run the pipeline", subject: run.plan.pipeline.file,
        why: "It has a stage \(unknown), which the run was not given.",
        remedy: "Give the run the registry that the file was checked with.")
    }
    guard let until = run.options.until, !names.contains(until) else { return }
    let near = NearestName.suggestion(for: until, among: names)
    throw Failure(
      .misuse, what: "cannot stop after a stage", subject: until,
      why: "The run has no such stage\(near).",
      remedy: "Its stages are \(names.joined(separator: ", ")).")
  }
}
