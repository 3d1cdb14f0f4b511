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
    var stores: [String: ProgressState] = [:]
    var isFleet = false
    var shown: Date?

    /// Whether a line is due.
    ///
    /// A log's first line comes when there has been something to wait for.
    mutating func isDue(_ event: ProgressEvent, every pause: Double) -> Bool {
      guard event.kind == .progress || event.kind == .stageStarted else { return false }
      let since = shown.map { event.time.timeIntervalSince($0) }
      guard since ?? (pause > 1 ? 0 : pause) >= pause else {
        shown = shown ?? event.time
        return false
      }
      shown = event.time
      return true
    }
  }

  /// A reporter that writes events to `log` as well, if there is one.
  init(console: Console, log: EventLog? = nil) {
    self.console = console
    self.log = log
  }

  /// Has everything said with the store's name from the start.
  func expectSeveralStores() { state.withLock { $0.isFleet = true } }

  /// Takes in one event; any thread may call it.
  func report(_ event: ProgressEvent) {
    log?.append(event)
    if event.kind == .warning, let message = event.message {
      console.warn(state.withLock { $0.isFleet } ? "\(event.store): \(message)" : message)
    }
    guard !console.isQuiet else { return }
    if event.kind == .output, let message = event.message { console.note(message) }
    let due = state.withLock { state in
      state.stores[event.store, default: ProgressState()].take(event)
      return state.isDue(event, every: console.errors.isTerminal ? 0.1 : 10)
        ? line(after: event, state) : nil
    }
    if let due { show(due) }
    if event.kind == .runFinished { end() }
  }

  /// Takes the line away.
  func end() { console.errors.show(status: "") }

  private func line(after event: ProgressEvent, _ state: State) -> ProgressLine? {
    let isOneOfMany = state.isFleet || state.stores.count > 1
    let name = isOneOfMany ? URL(filePath: event.store).lastPathComponent : ""
    return state.stores[event.store].map { ProgressLine(state: $0, store: name, now: event.time) }
  }

  private func show(_ line: ProgressLine) {
    if console.errors.isTerminal {
      console.errors.show(status: line.drawn(width: console.errorWidth))
    } else {
      console.note(line.logged)
    }
  }
}
