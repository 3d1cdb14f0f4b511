import Foundation
import StorePipeline

/// Words in, exit status out.
@main
enum Main {
  static func main() async {
    // Before there is a second thread.
    Platform.shareHeap()
    StoreRecovery.removeLeftCopies()
    let words = Array(CommandLine.arguments.dropFirst())
    exit(await Program.pipeline.run(words, .standard(), .bySignals()).rawValue)
  }
}

extension Program {
  /// The whole program.
  func run(
    _ words: [String], _ console: Console, _ cancellation: Cancellation = Cancellation()
  ) async -> ExitStatus {
    var console = console
    console.color = ColorMode.asked(in: words)
    do {
      switch try request(words) {
      case .version: return try console.answer(Version.text)
      case .help(let topic): return try console.explain(topic)
      case .nothing(let topic): return console.list(topic)
      case .command(let type, let topic, let words):
        return try await run(type, topic, words, console, cancellation)
      }
    } catch {
      return console.end(with: error, cancellation)
    }
  }
}
