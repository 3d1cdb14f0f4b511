import Foundation
import Synchronization

@testable import pipeline

/// The program's exit status, under a name that Swift Testing does not have as well.
typealias Status = ExitStatus

/// A stream's text, kept for a test.
final class Recorder: Sendable {
  private let written = Mutex("")

  /// All that was written.
  var text: String { written.withLock { $0 } }

  /// A stream that writes here.
  func stream(isTerminal: Bool = false, columns: Int? = nil, capacity: Int = 0) -> TextStream {
    TextStream(isTerminal: isTerminal, capacity: capacity, columns: { columns }) { text in
      self.written.withLock { $0 += text }
    }
  }
}

/// What a program said and how it ended.
struct Said: Equatable {
  var output = ""
  var errors = ""
  var status = ExitStatus.done
}

extension Program {
  /// Runs the program in this process.
  func say(
    _ words: [String], environment: [String: String] = [:], cancellation: Cancellation = .init()
  ) async -> Said {
    let (output, errors) = (Recorder(), Recorder())
    let console = Console(
      output: output.stream(), errors: errors.stream(), environment: environment)
    let status = await run(words, console, cancellation)
    return Said(output: output.text, errors: errors.text, status: status)
  }
}
