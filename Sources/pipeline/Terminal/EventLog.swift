import CoreDataStore
import Foundation
internal import OperatingSystem
import StorePipeline
import Synchronization

/// The file of `--events`: one JSON object a line, appended as it happens.
final class EventLog: Sendable {
  private let path: String
  private let stream: Mutex<TextStream?>
  private let complain: @Sendable (String) -> Void
  private let isBroken = Atomic(false)

  /// Looks at the path, so that a wrong one is known before any work is done.
  ///
  /// A file that is not there comes with its first event: a command that is refused leaves none.
  init(path: String, console: Console) throws(CommandFailure) {
    self.path = path
    complain = { console.warn("cannot write events to \(path): \($0). The run continues without.") }
    guard FileManager.default.fileExists(atPath: path) else {
      guard !path.isEmpty, !path.hasSuffix("/") else {
        throw Self.refusal(path, "it is no path of a file")
      }
      let folder = FileSystem.folder(of: FileSystem.resolved(path))
      guard FileManager.default.isWritableFile(atPath: folder) else {
        throw Self.refusal(path, "the folder cannot be written to")
      }
      stream = Mutex(nil)
      return
    }
    do {
      stream = Mutex(try Self.stream(to: path))
    } catch {
      throw Self.refusal(path, error.words)
    }
  }

  private static func refusal(_ path: String, _ why: String) -> CommandFailure {
    CommandFailure(
      .refused, "cannot write events to \(path): \(why)",
      hint: "Give --events a file in a folder that can be written to.")
  }

  private static func stream(to path: String) throws(SystemError) -> TextStream {
    do {
      var number = Streams.standard(at: path) ?? -1
      if number < 0 { number = try open(path) }
      let stream = TextStream(descriptor: number, capacity: 0)
      if endsMidLine(path) { stream.write("\n") }
      return stream
    } catch {
      guard error.isWithoutReader else { throw error }
      // As if the reader had gone a moment later.
      return broken(error)
    }
  }

  /// Whether a command that was killed has left a line without its end: an event that is put there
  /// would be lost with it.
  private static func endsMidLine(_ path: String) -> Bool {
    guard let entry = FileSystem.entry(following: path), entry.isRegular, entry.size > 0 else {
      return false
    }
    let last = try? NamedFile.read(path) { file -> Data? in
      try file.seek(toOffset: UInt64(entry.size - 1))
      return try file.read(upToCount: 1)
    }
    return last.map { $0 != Data("\n".utf8) } ?? false
  }

  private static func broken(_ error: SystemError) -> TextStream {
    TextStream(isTerminal: false) { _ in throw error }
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

  private var opened: TextStream {
    stream.withLock { stream in
      if let stream { return stream }
      let made: TextStream
      do throws(SystemError) {
        made = try Self.stream(to: path)
      } catch {
        made = Self.broken(error)
      }
      stream = made
      return made
    }
  }

  /// Writes one event.
  ///
  /// A full disk must not end a run over its log, so that is said once and the run continues.
  func append(_ event: ProgressEvent) {
    let stream = opened
    stream.write("\(event.json)\n")
    guard let error = stream.failure, !isBroken.exchange(true, ordering: .relaxed) else { return }
    complain((error as? SystemError)?.words ?? "\(error)")
  }
}
