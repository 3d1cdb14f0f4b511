internal import Lua

/// A run on its way: goes through the schedule and reports how it ended.
struct RunExecution {
  private let run: Run
  private let work: RunWork

  init(
    _ run: Run, _ schedule: RunSchedule, _ canceller: LuaCanceller,
    _ events: @escaping @Sendable (ProgressEvent) -> Void
  ) throws {
    self.run = run
    work = try RunWork(run, schedule, canceller, events)
  }

  /// Does everything that is left to do.
  func run() async throws -> RunFindings {
    defer { work.close() }
    work.log.start()
    do {
      for warning in run.plan.warnings { work.log.warn(warning) }
      try work.hooks.tell(.started)
      var summary = try work.summary(try await outcome())
      let report = work.report(of: summary)
      work.end(with: summary)
      write(report, summary)
      work.hooks.tellEnd(status: summary.status, outcome: summary.outcome.word)
      summary.warnings = work.log.warnings
      work.log.finish(status: summary.status)
      return RunFindings(summary: summary, report: report)
    } catch {
      // What was cut short by the cancellation failed in its own way. It cuts no exchange short:
      // what fails there has its own reason, and the store may not be as it was.
      let isStopped = Task.isCancelled && !work.isExchanging && !work.hasSwapFailed
      let error = isStopped ? CancellationError() : work.explained(error)
      work.close()
      work.hooks.tellEnd(status: RunStatus.of(error), outcome: "failed")
      work.log.finish(status: RunStatus.of(error))
      throw error
    }
  }

  /// Writes the report; the new store may be in its place already, so that nothing fails by it.
  private func write(_ report: DifferenceReport?, _ summary: RunSummary) {
    guard let path = run.options.report, let report else { return }
    do {
      try RunReportFile(path).write(report, of: summary.run)
    } catch {
      work.log.warn("\(error)")
    }
  }

  private func outcome() async throws -> RunSummary.Outcome {
    do {
      if try work.finishSwap() {
        work.hooks.tellSwapped()
        return .swapped
      }
      // The stage `open` may find that another plan is needed, and so what comes after it.
      var done = 0
      while done < work.schedule.units.count {
        let unit = work.schedule.units[done]
        done += 1
        let wasSwapped = work.isSwapped
        guard try await perform(orWarn: unit) else { break }
        if work.isSwapped, !wasSwapped { work.hooks.tellSwapped() }
        if case .stage(let stage, _) = unit, stage.name == run.options.until, isLast(unit) {
          return .stopped(after: stage.name)
        }
      }
      try work.endDryRun()
      if run.options.report != nil, !work.isSwapped { try work.examine() }
      return work.outcome
    } catch let end as RunEnd {
      return end.outcome
    }
  }

  /// Does a piece of the work; false when the user wants the run to stop and there is nothing to
  /// undo any more.
  ///
  /// A status other than 0 means that the old store is in place: once the new one is, what fails or
  /// is cut short is a warning.
  private func perform(orWarn unit: RunSchedule.Unit) async throws -> Bool {
    guard work.isSwapped else {
      try Task.checkCancellation()
      try await perform(unit)
      return true
    }
    do {
      try Task.checkCancellation()
      try await perform(unit)
    } catch let error as RunEnd {
      throw error
    } catch is CancellationError {
      work.log.warn("stopped behind the swap: the new store is in its place")
      return false
    } catch {
      work.log.warn("\(error)")
    }
    return true
  }

  /// Whether no stage of the same name follows.
  private func isLast(_ unit: RunSchedule.Unit) -> Bool {
    let units = work.schedule.units
    guard case .stage(let stage, _) = unit, let place = units.firstIndex(of: unit) else {
      return true
    }
    return !units[(place + 1)...].contains { other in
      if case .stage(let next, _) = other { next.name == stage.name } else { false }
    }
  }

  private func perform(_ unit: RunSchedule.Unit) async throws {
    switch unit {
    case .settle(let step): try work.settle(step)
    case .finish(let step): try work.finish(step)
    case .stage(let stage, let step):
      if let step, work.isFinished(step) { return }
      guard let entry = run.stages.stage(named: stage.name) else { return }
      if run.options.dryRun != nil, DryRun.leavesOut(entry.description) { return }
      try work.enter(step)
      if step != nil, try !entry.description.revises && work.step().isSettled { return }
      work.log.start(stage: stage.name)
      try await entry.run(stage, RunContext(work, step: step.map { work.plan.steps[$0] }))
      work.log.finish(stage: stage.name)
    }
  }
}

extension Duration {
  /// The same in seconds.
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
