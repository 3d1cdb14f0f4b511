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
    add(Self.name(mode, bench.setting), Self.points(bench, step)) { point, folder in
      let failure = try PointTest(bench, in: folder).fail(mode, at: point)
      return Score(points: 1, failures: failure.map { [$0] } ?? [])
    }
  }

  /// Every so many calls, and then every so many of the same command when it resumes.
  mutating func twice(_ bench: Bench, every step: Int, then second: Int) {
    add(Self.name(nil, bench.setting), Self.points(bench, step)) { point, folder in
      try PointTest(bench, in: folder)
        .killTwice(at: point, from: 1 + point / step % second, every: second)
    }
  }

  /// What a way of torture is called; nil is for that of two kills.
  private static func name(_ mode: Mode?, _ setting: Setting) -> String {
    "\(setting.name), \(mode?.rawValue ?? "killed, and killed again")"
  }

  /// Whether anything of such a name may be to be done.
  func mayWant(_ name: String) -> Bool {
    part.isEmpty || name.contains(part) || part.contains(name)
  }

  /// Whether any of it is to be done.
  func wants(_ setting: Setting, _ modes: [Mode?]) -> Bool {
    part.isEmpty || modes.contains { Self.name($0, setting).contains(part) }
  }

  /// Cuts the power before every so many calls.
  mutating func powerCuts(_ bench: Bench, every step: Int = 1) {
    add("\(bench.setting.name), power cut", Self.points(bench, step)) { point, folder in
      let failure = try PointTest(bench, in: folder).cutPower(at: point)
      return Score(points: 1, failures: failure.map { [$0] } ?? [])
    }
  }

  /// Every so many calls of a swap by itself.
  mutating func shapes(_ mode: Mode, _ test: ShapeTest, every step: Int = 1) {
    add(
      "\(test.name), \(mode.rawValue)", Array(stride(from: 1, through: test.calls.count, by: step))
    ) {
      try test.fail(mode, at: $0, in: $1)
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
