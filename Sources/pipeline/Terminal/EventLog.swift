import Foundation
internal import OperatingSystem
import StorePipeline
import Synchronization

/// The file of `--events`: one JSON object a line, appended as it happens.
final class EventLog: Sendable {
  private let stream: TextStream
  private let complain: @Sendable (String) -> Void
  private let isBroken = Atomic(false)

  /// Opens the file, so that a wrong path is known before any work is done.
  init(path: String, console: Console) throws(CommandFailure) {
    do {
      let descriptor = try Self.open(path)
      stream = TextStream(descriptor: descriptor, capacity: 0)
    } catch  where error.isWithoutReader {
      // As if the reader had gone a moment later.
      stream = TextStream(isTerminal: false) { _ in throw error }
    } catch {
      throw CommandFailure(
        .refused, "cannot write events to \(path): \(error.words)",
        hint: "Give --events a file in a folder that can be written to.")
    }
    complain = { console.warn("cannot write events to \(path): \($0). The run continues without.") }
  }

  /// A reader of a FIFO may come a moment later; one that never comes holds up no run.
  private static func open(_ path: String) throws(SystemError) -> Int32 {
    let deadline = Deadline(in: .seconds(2))
    while true {
      do {
        return try Streams.openToAppend(path)
      } catch {
        guard error.isWithoutReader, !deadline.isOver else { throw error }
      }
      Thread.sleep(forTimeInterval: 0.02)
    }
  }

  /// Writes one event.
  ///
  /// A full disk must not end a run over its log, so that is said once and the run continues.
  func append(_ event: ProgressEvent) {
    stream.write("\(event.json)\n")
    guard let error = stream.failure, !isBroken.exchange(true, ordering: .relaxed) else { return }
    complain((error as? SystemError)?.words ?? "\(error)")
  }
}
