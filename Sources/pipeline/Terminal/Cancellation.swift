import Foundation
internal import StorePrograms
import Synchronization

/// Whether the user or the system wants the program to stop, and which.
///
/// A command looks at `isCancelled` between two pieces of work, or has `onCancel` call it; its task
/// is cancelled as well. It then ends in order and throws `CancellationError`.
final class Cancellation: Sendable {
  private let state = Mutex(State())

  private struct State {
    var status: ExitStatus?
    var handlers: [@Sendable () -> Void] = []
  }

  /// It is not wanted yet.
  init() {}

  /// How the program ends because of it, once it is wanted.
  var status: ExitStatus? { state.withLock { $0.status } }

  /// Whether the program is to stop.
  var isCancelled: Bool { status != nil }

  /// Throws `CancellationError` if the program is to stop.
  func check() throws {
    if isCancelled { throw CancellationError() }
  }

  /// Calls `handler` once when the program is to stop; at once if so already.
  func onCancel(_ handler: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      if state.status == nil { state.handlers.append(handler) }
      return state.status != nil
    }
    if isLate { handler() }
  }

  /// Asks the program to stop; the first who asks decides the status.
  func cancel(_ status: ExitStatus) {
    let handlers = state.withLock { state in
      state.status = state.status ?? status
      defer { state.handlers = [] }
      return state.handlers
    }
    for handler in handlers { handler() }
  }

  /// One that Ctrl-C (SIGINT) and SIGTERM ask, the first time each comes; the second ends at once.
  ///
  /// The handler writes to a pipe and a thread of its own reads it, because POSIX lets a handler
  /// call little more than write().
  static func bySignals() -> Cancellation {
    let cancellation = Cancellation()
    guard let pipe = StandardStreams.makePipe() else { return cancellation }
    Thread.detachNewThread {
      while let number = StandardStreams.readByte(pipe.reading) {
        cancellation.cancel(Int32(number) == SIGTERM ? .terminated : .interrupted)
      }
    }
    StandardStreams.forward(SIGINT, to: pipe.writing)
    StandardStreams.forward(SIGTERM, to: pipe.writing)
    return cancellation
  }
}
