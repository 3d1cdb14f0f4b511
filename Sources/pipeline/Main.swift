internal import CoreDataStore
import Foundation
internal import OperatingSystem
import StorePipeline
internal import StorePrograms

/// Words in, exit status out.
@main
enum Main {
  /// Prepares what cannot be prepared any more once there is a second thread, and starts the rest.
  ///
  /// It is not `async`: that takes threads before it is known that there are any.
  static func main() {
    StandardStreams.occupy()
    StandardStreams.outliveReaders()
    StoreLimits.prepareProcess()
    StoreRecovery.removeLeftCopies()
    let words = Array(CommandLine.arguments.dropFirst())
    switch Program.pipeline.begin(words, .standard()) {
    case .ended(let status): exit(status.rawValue)
    case .command(let console, let worksAtOnce, let run):
      // One heap for each, and one for the thread that reports on them.
      ProcessLimits.limitHeaps(to: worksAtOnce > 1 ? min(worksAtOnce, 1000) + 1 : 1)
      do {
        try Surroundings.check()
      } catch {
        exit(console.end(with: error, Cancellation()).rawValue)
      }
      Task { exit(await run(.bySignals()).rawValue) }
      dispatchMain()
    }
  }
}

/// What the words of a command line lead to.
enum Beginning: Sendable {
  /// They have their answer.
  case ended(ExitStatus)
  /// They stand for a command, which is to be run; what it says goes to the console.
  case command(Console, worksAtOnce: Int, @Sendable (Cancellation) async -> ExitStatus)
}

extension Program {
  func run(
    _ words: [String], _ console: Console, _ cancellation: Cancellation = Cancellation()
  ) async -> ExitStatus {
    switch begin(words, console) {
    case .ended(let status): status
    case .command(_, _, let run): await run(cancellation)
    }
  }

  /// Answers at once what is no command.
  func begin(_ words: [String], _ console: Console) -> Beginning {
    var console = console
    console.color = ColorMode.asked(in: words)
    do {
      switch try request(words) {
      case .version: return .ended(try console.answer(Version.text))
      case .help(let topic): return .ended(try console.explain(topic))
      case .nothing(let topic): return .ended(console.list(topic))
      case .command(let type, let topic, let words):
        let invocation = try type.read(words, at: topic)
        return .command(console, worksAtOnce: invocation.worksAtOnce) { [console] cancellation in
          do {
            return try await run(invocation, of: type, topic, words, console, cancellation)
          } catch {
            return console.end(with: error, cancellation)
          }
        }
      }
    } catch {
      return .ended(console.end(with: error, Cancellation()))
    }
  }
}
