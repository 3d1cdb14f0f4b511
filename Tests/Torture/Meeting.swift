import CoreDataStore
import Foundation

/// Two commands that meet on one store: the first stops before a call, and continues
/// when the other has ended.
struct Meeting: Sendable {
  /// What the first command is, and what it comes to when it is alone.
  let bench: Bench
  /// The words of the first command, where they are not the bench's own.
  var words: [String]?
  /// What the other command is, for the table.
  let other: String
  /// The words of the other command; none for the same.
  var otherWords: [String] = []
  /// What is added to them.
  var more: [String] = []
  /// The statuses that the commands may end with, and the stores that may be there then.
  var statuses: Set<Int32> = [0, 5]
  var allowed: [Content]
  /// The store that the first command makes elsewhere; nil for one that changes the store.
  var result: String?
  /// How many calls the first command makes when it is alone.
  private(set) var calls: Int
  /// Whether one of them has to do it.
  var needsOne = true
  /// Whether both commands are given again afterwards, and find nothing to do.
  var repeats = true

  /// The same command twice, unless another one is given.
  init(_ bench: Bench, by other: String, _ otherWords: [String] = []) {
    (self.bench, self.other, self.otherWords) = (bench, other, otherWords)
    allowed = [bench.new]
    calls = bench.calls.count
    repeats = ![.rollback, .restore].contains(bench.kind)
  }

  /// A command that makes a store elsewhere, and another one.
  init(
    _ bench: Bench, _ words: [String], result: String, by other: String, _ otherWords: [String],
    in scratch: URL
  ) throws {
    self.init(bench, by: other, otherWords)
    (self.words, self.result) = (words, result)
    let log = scratch.appending(path: "calls.log")
    try? FileManager.default.removeItem(at: log)
    let trial = try Trial(try Template(bench.setting, in: scratch))
    let end = try Child(words: words, folder: trial.folder, log: log).run()
    guard end.status == 0 else { throw TortureError(end.text) }
    calls = try Child.calls(in: log).count
  }

  /// What both come to, in the table.
  var name: String { "\(words.map { $0[0] } ?? bench.setting.name), stopped, met by \(other)" }

  /// Stops the first command before a call and lets the other run to its end meanwhile.
  func test(at point: Int, in scratch: URL) throws -> Score {
    try test("at call \(point)", in: scratch) { commands in
      let log = scratch.appending(path: "calls.log")
      try? FileManager.default.removeItem(at: log)
      commands[0].fault = "stop:\(point)"
      commands[0].log = log
      let first = try commands[0].begin()
      defer { first.goOn() }
      guard try first.isStopped(at: point, in: log) else { return [try first.end()] }
      let other = try commands[1].run()
      first.goOn()
      return [try first.end(), other]
    }
  }

  /// Begins both, the second so much later.
  func test(after delay: Double, in scratch: URL) throws -> Score {
    try test("\(Int(delay * 1000)) ms apart", in: scratch) { commands in
      let first = try commands[0].begin()
      Thread.sleep(forTimeInterval: delay)
      let second = try commands[1].begin()
      return [try first.end(), try second.end()]
    }
  }

  private func test(
    _ place: String, in scratch: URL, _ body: (inout [Child]) throws -> [Child.End]
  ) throws -> Score {
    let template = try Template(bench.setting, in: scratch)
    let trial = try Trial(template)
    let first = words ?? template.words
    let second = (otherWords.isEmpty ? first : otherWords) + more
    var commands = [
      Child(words: first, folder: trial.folder),
      Child(words: second, folder: trial.folder, temporary: "temporary-other"),
    ]
    let ends = try body(&commands)
    let said = ends.map { "status \($0.status): \($0.text.replacing("\n", with: " "))" }
    let problem =
      try problem(ends, trial, in: scratch)
      ?? (repeats ? again([first, second], trial, in: scratch) : nil)
    return Score(
      points: 1,
      failures: problem.map { ["\($0), \(place); \(said.joined(separator: "; the other "))"] } ?? []
    )
  }

  /// What is wrong when both have ended; nil when nothing is.
  private func problem(_ ends: [Child.End], _ trial: Trial, in scratch: URL) throws -> String? {
    for end in ends where end.isKilled || !statuses.contains(end.status) {
      return "status \(end.status)"
    }
    guard !needsOne || ends.contains(where: { $0.status == 0 }) else { return "neither did it" }
    if let result, ends[0].status == 0 {
      let made = trial.folder.appending(path: result)
      if FileManager.default.fileExists(atPath: made.path),
        let problem = Self.problem(try Content.read(made, in: scratch), allowed)
      {
        return "in \(result): \(problem)"
      }
    }
    let after = result == nil ? allowed : [bench.old, bench.new]
    return Self.problem(try Content.read(trial.store, in: scratch), after)
  }

  private static func problem(_ content: Content, _ allowed: [Content]) -> String? {
    let differences = allowed.map { content.difference(to: $0) }
    return differences.contains(nil) ? nil : differences.compactMap(\.self).joined(separator: ", ")
  }

  /// Gives the commands again: there is nothing left to do, unless a run was refused and begins
  /// again.
  private func again(_ commands: [[String]], _ trial: Trial, in scratch: URL) throws -> String? {
    guard result == nil else { return nil }
    for words in commands {
      var end = try Child(words: words, folder: trial.folder).run()
      if end.status != 0, words[0] == "run" {
        end = try Child(words: words + ["--restart"], folder: trial.folder).run()
      }
      guard end.status == 0 else { return "again: status \(end.status): \(end.text)" }
    }
    let content = try Content.read(trial.store, in: scratch)
    if let problem = Self.problem(content, allowed) { return "again: \(problem)" }
    return content.strays.isEmpty ? nil : "files that nothing refers to: \(content.strays)"
  }
}
