import Foundation
import StorePipeline
import Synchronization

/// Shows a run's events to a person, and writes them down for programs.
///
/// On a terminal one line is redrawn, ten times a second at most; elsewhere a line is written every
/// ten seconds, so that a log stays short. Quiet leaves both out.
final class ProgressReporter: Sendable {
  private let console: Console
  private let log: EventLog?
  private let state = Mutex(State())

  private struct State {
    var progress = ProgressState()
    var shown: Date?
  }

  /// A reporter that writes events to `log` as well, if there is one.
  init(console: Console, log: EventLog? = nil) {
    self.console = console
    self.log = log
  }

  /// Takes in one event; any thread may call it.
  func report(_ event: ProgressEvent) {
    log?.append(event)
    if event.kind == .warning, let message = event.message { console.warn(message) }
    guard !console.isQuiet else { return }
    state.withLock { state in
      state.progress.take(event)
      if isDue(event, &state) { show(state.progress, event.time) }
    }
    if event.kind == .runFinished { end() }
  }

  /// Takes the line away.
  func end() { console.errors.show(status: "") }

  private func isDue(_ event: ProgressEvent, _ state: inout State) -> Bool {
    let isTerminal = console.errors.isTerminal
    guard event.kind == .progress || (isTerminal && event.kind == .stageStarted) else {
      // A log's first line comes when there has been something to wait for.
      if event.kind == .stageStarted { state.shown = state.shown ?? event.time }
      return false
    }
    let pause = isTerminal ? 0.1 : 10
    if let shown = state.shown, event.kind == .progress,
      event.time.timeIntervalSince(shown) < pause
    {
      return false
    }
    state.shown = event.time
    return true
  }

  private func show(_ progress: ProgressState, _ now: Date) {
    let line = ProgressLine(state: progress, now: now)
    if console.errors.isTerminal {
      console.errors.show(status: line.drawn(width: console.errorWidth))
    } else {
      console.note(line.logged)
    }
  }
}
