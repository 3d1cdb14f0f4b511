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
      // Of ten thousand stores those at work are remembered.
      defer { if event.kind == .runFinished { state.stores[event.store] = nil } }
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

/// One line that says how far a run is: what there is room for, most important first.
struct ProgressLine {
  /// What it shows.
  let state: ProgressState
  /// The name of the store, when there are several.
  var store = ""
  /// The time it is drawn at.
  let now: Date

  /// The line for a terminal of some width.
  ///
  /// It stays one column short of it: a full line would wrap, and could not be redrawn.
  func drawn(width: Int) -> String {
    let room = max(0, width - 1)
    return state.fraction.map { drawn($0, in: room) } ?? drawnStage(in: room)
  }

  /// The line of a run: its bar begins it and is always as long, so that it can only grow.
  private func drawn(_ fraction: Double, in room: Int) -> String {
    let percent = "\(Int(fraction * 100))%"
    let length = min(30, room / 4)
    var parts = [
      length < 10 ? nil : bar(fraction, length),
      String(repeating: " ", count: max(0, 4 - percent.count)) + percent, end,
    ].compactMap(\.self)
    let title = Self.cut(title, to: room - self.length(parts) - 2)
    if !title.isEmpty { parts.append(title) }
    for part in details {
      guard self.length(parts + [part]) <= room else { break }
      parts.append(part)
    }
    return String(parts.joined(separator: "  ").prefix(room))
  }

  private func drawnStage(in room: Int) -> String {
    var parts = parts
    while parts.count > 1, length(parts) > room { parts.removeLast() }
    let rest = room - length(parts) - 2
    guard rest >= 10, parts.count > 1, let total = state.total, total > 0 else {
      return String(parts.joined(separator: "  ").prefix(room))
    }
    let bar = bar(fraction(of: total), min(rest, 30))
    return ([parts[0], bar] + parts.dropFirst()).joined(separator: "  ")
  }

  var logged: String { parts.joined(separator: "  ") }

  private var title: String {
    [store, state.stage, state.entity].filter { !$0.isEmpty }.joined(separator: " ").oneLine
  }

  private var end: String? { state.remaining(at: now).map { "ETA \(Quantity.duration($0))" } }

  private var parts: [String] {
    guard let fraction = state.fraction else {
      return [title, rows, end].compactMap(\.self).filter { !$0.isEmpty } + details.dropFirst()
    }
    return [title, "\(Int(fraction * 100))%", end].compactMap(\.self) + details
  }

  /// What is said of the rows of the current stage.
  private var details: [String] {
    var details = [rows]
    if state.rejected > 0 { details.append("\(Quantity.count(state.rejected)) rejected") }
    if let rate = state.rate, !countsParts {
      details.append("\(Quantity.count(Int(min(rate.rounded(), 1e15)))) rows/s")
    }
    if state.bytes > 0 { details.append(Quantity.bytes(state.bytes)) }
    return details.filter { !$0.isEmpty }
  }

  /// Whether the numbers of a run's stage are not of rows: where it has parts, its share is in the
  /// run's.
  private var countsParts: Bool {
    state.fraction != nil && (state.countsParts || state.entity.isEmpty)
  }

  /// A title that fits; none where that would say nothing.
  private static func cut(_ title: String, to room: Int) -> String {
    guard title.count > room else { return title }
    return room < 9 ? "" : title.prefix(room - 1) + "…"
  }

  private var rows: String {
    if countsParts || state.fraction != nil && state.total == nil && state.rows == 0 { return "" }
    guard let total = state.total else { return "\(Quantity.count(state.rows)) rows" }
    let share = "\(Quantity.count(state.rows))/\(Quantity.count(total)) rows"
    let isOfStage = total > 0 && state.fraction == nil
    return isOfStage ? "\(Int(fraction(of: total) * 100))% \(share)" : share
  }

  private func bar(_ share: Double, _ length: Int) -> String {
    let done = Int(share * Double(length - 2))
    return "[" + String(repeating: "=", count: done).padded(to: length - 2) + "]"
  }

  private func fraction(of total: Int) -> Double {
    min(1, max(0, Double(state.rows) / Double(total)))
  }

  private func length(_ parts: [String]) -> Int {
    parts.map(\.count).reduce(0, +) + 2 * (parts.count - 1)
  }
}
