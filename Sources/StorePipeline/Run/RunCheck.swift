internal import CoreDataStore

/// What can be refused before a run does anything.
struct RunCheck {
  private let run: Run
  private let schedule: RunSchedule

  init(_ run: Run, _ schedule: RunSchedule) {
    self.run = run
    self.schedule = schedule
  }

  /// Looks at the stages there are, their programs, the stage to stop at and the report's place.
  func check() throws {
    if let report = run.options.report { try RunReportFile(report).check() }
    let names = schedule.stages
    try run.checkTrust()
    if let unknown = names.first(where: { run.stages.stage(named: $0) == nil }) {
      throw RunFailure(
        .misuse, what: "cannot run the pipeline", subject: run.plan.pipeline.file,
        why: "It has a stage \(unknown), which the run was not given.",
        remedy: "Give the run the registry that the file was checked with.")
    }
    guard let until = run.options.until, !names.contains(until) else { return }
    let near = NearestName.suggestion(for: until, among: names)
    throw RunFailure(
      .misuse, what: "cannot stop after a stage", subject: until,
      why: "The run has no such stage\(near).",
      remedy: "Its stages are \(names.joined(separator: ", ")).")
  }
}
