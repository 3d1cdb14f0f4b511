import Foundation
import StorePipeline

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
    while parts.count > 1, length(parts) > room { parts.removeLast() }
    guard let bar = bar(room - length(parts) - 2), parts.count > 1 else {
      return String(parts.joined(separator: "  ").prefix(room))
    }
    return ([parts[0], bar] + parts.dropFirst()).joined(separator: "  ")
  }

  /// The line for a log.
  var logged: String { parts.joined(separator: "  ") }

  private var parts: [String] {
    let title = [store, state.stage, state.entity].filter { !$0.isEmpty }.joined(separator: " ")
      .oneLine
    var parts = [title, rows]
    if let seconds = state.remaining(at: now) { parts.append("ETA \(Quantity.duration(seconds))") }
    if state.rejected > 0 { parts.append("\(Quantity.count(state.rejected)) rejected") }
    if let rate = state.rate {
      parts.append("\(Quantity.count(Int(min(rate.rounded(), 1e15)))) rows/s")
    }
    if state.bytes > 0 { parts.append(Quantity.bytes(state.bytes)) }
    return parts
  }

  private var rows: String {
    guard let total = state.total else { return "\(Quantity.count(state.rows)) rows" }
    let share = "\(Quantity.count(state.rows))/\(Quantity.count(total)) rows"
    return total > 0 ? "\(Int(fraction(of: total) * 100))% \(share)" : share
  }

  private func bar(_ room: Int) -> String? {
    guard let total = state.total, total > 0, room >= 10 else { return nil }
    let width = min(room, 30) - 2
    let done = Int(fraction(of: total) * Double(width))
    return "[" + String(repeating: "=", count: done).padded(to: width) + "]"
  }

  private func fraction(of total: Int) -> Double {
    min(1, max(0, Double(state.rows) / Double(total)))
  }

  private func length(_ parts: [String]) -> Int {
    parts.map(\.count).reduce(0, +) + 2 * (parts.count - 1)
  }
}
