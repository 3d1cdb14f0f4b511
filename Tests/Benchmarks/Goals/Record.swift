import Formats
import Foundation

/// The goals that were reached once: a list that the repository keeps.
struct Record {
  /// Their ids, in the order of the goals.
  private(set) var ids: [String]

  private let path: String

  /// Reads the list: JSON, an array of ids.
  init(reading path: String) throws {
    let bytes: [UInt8]
    do {
      bytes = Array(try Data(contentsOf: URL(filePath: path)))
    } catch {
      throw BenchError("the record of goals cannot be read: \(error.localizedDescription)")
    }
    guard let entries = try? JSONValue(reading: bytes).array else {
      throw BenchError("\(path) is not a JSON array of goals")
    }
    let known = Set(Findings().goals.map(\.id))
    ids = try entries.map { entry in
      guard let id = entry.string, known.contains(id) else {
        throw BenchError("\(path) has \(entry.text()), which is no goal")
      }
      return id
    }
    self.path = path
  }

  /// Adds goals, and writes the list.
  mutating func add(_ goals: [Goal]) throws {
    let all = Set(ids + goals.map(\.id))
    ids = Findings().goals.map(\.id).filter(all.contains)
    let text = JSONValue.array(ids.map(JSONValue.string)).text(.pretty) + "\n"
    try Data(text.utf8).write(to: URL(filePath: path))
  }
}
