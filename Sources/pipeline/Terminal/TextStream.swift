import Foundation
internal import OperatingSystem
import StorePipeline
internal import StorePrograms
import Synchronization

/// Somewhere text goes: one of the program's streams, or a test's memory.
final class TextStream: Sendable {
  /// Whether a person is looking.
  let isTerminal: Bool
  private let columns: @Sendable () -> Int?
  private let capacity: Int
  private let sink: @Sendable (String) throws -> Void
  private let state = Mutex(State())

  private struct State {
    var waiting = ""
    var status = ""
    var failure: (any Error)?
  }

  /// A stream that hands its text to `sink` when `capacity` bytes have gathered.
  init(
    isTerminal: Bool, capacity: Int = 0, columns: @escaping @Sendable () -> Int? = { nil },
    sink: @escaping @Sendable (String) throws -> Void
  ) {
    self.isTerminal = isTerminal
    self.capacity = capacity
    self.columns = columns
    self.sink = sink
  }

  /// A descriptor's stream: at once to a terminal, in large pieces to anything else.
  convenience init(descriptor: Int32, capacity: Int) {
    let isTerminal = StandardStreams.isTerminal(descriptor)
    self.init(
      isTerminal: isTerminal, capacity: isTerminal ? 0 : capacity,
      columns: { StandardStreams.columns(descriptor) },
      sink: { try Streams.send($0, to: descriptor) })
  }

  /// The columns there are: those of the terminal, else what `COLUMNS` says, else 80.
  func width(_ environment: [String: String]) -> Int {
    columns() ?? environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 80
  }

  /// Writes a text, above the status line if there is one.
  ///
  /// Names and values are spelled out where they are put into a text; what was forgotten there is
  /// spelled out here, so that nothing drives the terminal of the user.
  func write(_ text: String) {
    let text = text.shown
    state.withLock { state in
      state.waiting += state.status.isEmpty ? text : "\r\u{1B}[K\(text)\(state.status)"
      if state.waiting.utf8.count > capacity { send(&state) }
    }
  }

  /// Writes what another program reads, byte for byte; a terminal gets it spelled out.
  func write(verbatim text: String) {
    guard !isTerminal else { return write(text) }
    state.withLock { state in
      state.waiting += text
      if state.waiting.utf8.count > capacity { send(&state) }
    }
  }

  /// Redraws the status line, which stays below all that is written; an empty one goes away.
  func show(status: String) {
    let status = status.shown
    state.withLock { state in
      guard status != state.status else { return }
      state.waiting += "\r\u{1B}[K\(status)"
      state.status = status
      send(&state)
    }
  }

  func flush() { state.withLock { send(&$0) } }

  /// Why text was lost, if any was.
  var failure: (any Error)? { state.withLock { $0.failure } }

  private func send(_ state: inout State) {
    guard !state.waiting.isEmpty else { return }
    do {
      if state.failure == nil { try sink(state.waiting) }
    } catch {
      state.failure = error
    }
    state.waiting = ""
  }
}
