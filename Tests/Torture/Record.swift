import Foundation
import Synchronization

/// What was found so far, in a file: interrupted torture resumes where it stopped.
final class Record: Sendable {
  private let file: URL
  private let known: Mutex<[String: Score]>

  /// Takes over what was found of these very programs before.
  init(_ file: URL) throws {
    self.file = file
    let programs = try [Child.command.path, CommandLine.arguments[0]].map { path in
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      let date = attributes[.modificationDate] as? Date
      return "\(attributes[.size] ?? "") \(date?.timeIntervalSince1970 ?? 0)"
    }
    let key = programs.joined(separator: " ")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    let lines = text.split(separator: "\n").map(String.init)
    guard lines.first == key else {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("\(key)\n".utf8).write(to: file)
      known = Mutex([:])
      return
    }
    let pairs = lines.dropFirst().compactMap(Self.entry)
    known = Mutex(Dictionary(pairs) { _, last in last })
  }

  /// What was found of one item; nil when it is still to be done.
  subscript(item: String) -> Score? { known.withLock { $0[item] } }

  /// Keeps what was found.
  func note(_ item: String, _ score: Score) throws {
    let parts = [item, "\(score.points)"] + score.failures
    let line = parts.map { $0.replacing("\n", with: " ").replacing("\t", with: " ") }
      .joined(separator: "\t")
    try known.withLock { known in
      known[item] = score
      let handle = try FileHandle(forWritingTo: file)
      defer { try? handle.close() }
      try handle.seekToEnd()
      try handle.write(contentsOf: Data("\(line)\n".utf8))
    }
  }

  /// Forgets everything, when all is done.
  func remove() throws { try FileManager.default.removeItem(at: file) }

  /// A line that was cut off is none.
  private static func entry(_ line: String) -> (String, Score)? {
    let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 2, let points = Int(parts[1]) else { return nil }
    return (parts[0], Score(points: points, failures: Array(parts.dropFirst(2))))
  }
}
