import StorePipeline
import Synchronization

/// Keeps the events of a run.
final class Recorder: Sendable {
  private let events = Mutex<[ProgressEvent]>([])

  /// All of them, in order.
  var all: [ProgressEvent] { events.withLock { $0 } }

  func add(_ event: ProgressEvent) { events.withLock { $0.append(event) } }
}
