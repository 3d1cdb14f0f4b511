import CoreDataStore
import Foundation
import StoreReplacement

/// All ways of torture one after the other.
struct Campaign {
  private let scratch: URL
  private let record: Record
  private let part: String
  private let sparing: Int
  /// What was found, by the way.
  private(set) var scores: [(mode: String, score: Score)] = []

  init(scratch: URL, record: Record, part: String, sparing: Int) {
    (self.scratch, self.record, self.part, self.sparing) = (scratch, record, part, sparing)
  }

  /// Every call of a bench, or every so many of them.
  mutating func points(_ mode: Mode, _ bench: Bench, every step: Int = 1) {
    add("\(bench.name), \(mode.rawValue)", Self.points(bench, step)) { point, folder in
      let failure = try PointTest(bench, in: folder).fail(mode, at: point)
      return Score(points: 1, failures: failure.map { [$0] } ?? [])
    }
  }

  /// Every so many calls, and then every so many of the same command when it resumes.
  mutating func twice(_ bench: Bench, every step: Int, then second: Int) {
    add("\(bench.name), killed, and killed again", Self.points(bench, step)) { point, folder in
      try PointTest(bench, in: folder)
        .killTwice(at: point, from: 1 + point / step % second, every: second)
    }
  }

  /// Stops the first of two commands before every so many of its calls.
  mutating func meetings(_ meeting: Meeting, every step: Int = 1) {
    add(meeting.name, Array(stride(from: 1, through: meeting.calls, by: step))) {
      try meeting.test(at: $0, in: $1)
    }
  }

  /// Stops a command before every so many of its calls, and lets an application come.
  mutating func visits(_ visit: Visit, every step: Int = 1) {
    add(visit.name, Self.points(visit.bench, step)) { try visit.test(at: $0, in: $1) }
  }

  /// Items of any kind, each once.
  mutating func add<Item: Sendable>(
    _ name: String, _ items: [Item], _ body: @escaping @Sendable (Item, URL) throws -> Score
  ) {
    guard part.isEmpty || name.contains(part) else { return }
    let record = record
    let items = stride(from: 0, to: items.count, by: sparing).map { items[$0] }
    let found = Workers.map(items, in: scratch) { item, folder in
      let key = "\(name): \(item)"
      if let known = record[key] { return known }
      do {
        let score = try body(item, folder)
        try record.note(key, score)
        return score
      } catch {
        return Score(points: 1, failures: ["\(error), at \(item)"])
      }
    }
    let score = found.reduce(Score(), +)
    scores.append((name, score))
    Report.tell(name, score)
  }

  private static func points(_ bench: Bench, _ step: Int) -> [Int] {
    Array(stride(from: 1, through: bench.calls.count, by: step))
  }
}

extension Bench {
  /// What is tortured, in a word or two.
  var name: String { method == .rename ? "\(kind.rawValue) by rename" : kind.rawValue }
}
