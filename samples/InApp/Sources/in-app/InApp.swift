import Foundation
import JournalStore

/// `in-app STORE [SECONDS]`: what an app does when it is launched, with lines instead of a screen.
@main
struct InApp {
  static func main() async throws {
    let words = CommandLine.arguments.dropFirst()
    let time = words.dropFirst().first.flatMap { Double($0) }.map { Duration.seconds($0) }
    guard let store = words.first, words.count == (time == nil ? 1 : 2) else {
      end("usage: in-app STORE [SECONDS]", 2)
    }
    let step = try await migrateAtLaunch(
      URL(filePath: store), progress: PrintedProgress(), time: time)
    switch step {
    case .open(migrated: true): end("migrated: the app opens the store", 0)
    case .open(migrated: false): end("nothing to do: the app opens the store", 10)
    case .wait: end("paused: the next launch resumes", 11)
    case .tryAgain(let text): end("busy: the app tries again in a moment\n\(text)", 12)
    case .tryLater(let text): end("refused: the next launch tries again\n\(text)", 13)
    case .report(let text): end("failed: the data is safe\n\(text)", 14)
    }
  }

  private static func end(_ line: String, _ status: Int32) -> Never {
    print(line)
    exit(status)
  }
}
