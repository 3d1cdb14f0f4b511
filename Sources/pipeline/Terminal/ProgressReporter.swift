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
    var parts = parts
    // The bar of a run comes before what the current stage does.
    let kept = isOfRun ? Self.leastBar + 2 : 0
    while parts.count > least, length(parts) + kept > room { parts.removeLast() }
    if isOfRun, let title = parts.first {
      let rest = room - length(parts)
      let isLong = title.count + min(0, rest - kept) >= Self.leastTitle
      parts[0] = Self.cut(title, isLong ? rest - kept : rest)
    }
    guard let bar = bar(room - length(parts) - 2), parts.count > 1 else {
      return String(parts.joined(separator: "  ").prefix(room))
    }
    return ([parts[0], bar] + parts.dropFirst()).joined(separator: "  ")
  }

  private static let (leastBar, leastTitle) = (12, 9)

  var logged: String { parts.joined(separator: "  ") }

  /// Whether the line says how far a run is as a whole.
  private var isOfRun: Bool { state.fraction != nil }

  /// The parts that stay whatever room there is: of a run its share, and the time that remains.
  private var least: Int {
    isOfRun ? state.remaining(at: now) == nil ? 2 : 3 : 1
  }

  private var parts: [String] {
    let title = [store, state.stage, state.entity].filter { !$0.isEmpty }.joined(separator: " ")
      .oneLine
    var parts = [title]
    if let fraction = state.fraction { parts.append("\(Int(fraction * 100))%") }
    let end = state.remaining(at: now).map { "ETA \(Quantity.duration($0))" }
    if isOfRun { parts += [end].compactMap(\.self) }
    parts.append(rows)
    if !isOfRun { parts += [end].compactMap(\.self) }
    if state.rejected > 0 { parts.append("\(Quantity.count(state.rejected)) rejected") }
    // Parts of a stage have no rate.
    if let rate = state.rate, !isOfRun || !state.entity.isEmpty {
      parts.append("\(Quantity.count(Int(min(rate.rounded(), 1e15)))) rows/s")
    }
    if state.bytes > 0 { parts.append(Quantity.bytes(state.bytes)) }
    return parts.filter { !$0.isEmpty }
  }

  /// A title that is shorter by so many characters as there are too many.
  private static func cut(_ title: String, _ room: Int) -> String {
    guard room < 0 else { return title }
    return title.count + room < 2 ? "" : title.prefix(title.count + room - 1) + "…"
  }

  private var rows: String {
    guard let total = state.total else {
      return isOfRun && state.rows == 0 ? "" : "\(Quantity.count(state.rows)) rows"
    }
    // Where a stage has parts and no rows, its share is in the run's.
    if isOfRun, state.entity.isEmpty { return "" }
    let share = "\(Quantity.count(state.rows))/\(Quantity.count(total)) rows"
    return total > 0 && !isOfRun ? "\(Int(fraction(of: total) * 100))% \(share)" : share
  }

  private func bar(_ room: Int) -> String? {
    guard room >= (isOfRun ? Self.leastBar : 10) else { return nil }
    let stage = state.total.flatMap { $0 > 0 ? fraction(of: $0) : nil }
    guard let share = state.fraction ?? stage else { return nil }
    let width = min(room, 30) - 2
    let done = Int(share * Double(width))
    return "[" + String(repeating: "=", count: done).padded(to: width) + "]"
  }

  private func fraction(of total: Int) -> Double {
    min(1, max(0, Double(state.rows) / Double(total)))
  }

  private func length(_ parts: [String]) -> Int {
    parts.map(\.count).reduce(0, +) + 2 * (parts.count - 1)
  }
}
