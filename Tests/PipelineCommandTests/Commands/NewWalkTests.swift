import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// What `pipeline new` offers is taken as it stands, answer by answer, up to a verified store.
@Suite("The answers of new", .temporaryFolder)
struct NewWalkTests {
  /// Versions of a model, and the rows of a store of the first.
  struct Pair: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The insides of the versions.
    let versions: [String]
    let rows: String
    /// What `check` must list.
    let undecided: [String]
    /// Whether the store has objects that a rule of the new version refuses.
    var isRefused = false
  }

  @Test("each answer that new offers works as it stands", arguments: NewWalkPairs.all, 0..<4)
  func answer(pair: Pair, number: Int) throws {
    try Self.lay(pair)
    let listed = try Self.succeeds(
      "pipeline new --models M.xcdatamodeld --from App.sqlite -o out --json")
    let names = listed.output.matches(of: /"name": "(.*)"/).map { String($0.output.1) }
    #expect(names == pair.undecided)
    let open = try Tool.shell("pipeline check out/*.pipeline")
    #expect(open.errors.matches(of: /is undecided\./).count == names.count, "\(open.errors)")
    #expect(open.status == (names.isEmpty ? 0 : 2))
    let taken = try Answers(taking: number, in: TemporaryFolder.url.appending(path: "out"))
    // Beyond the last answer it would be the walk before.
    guard number == 0 || number < taken.most else { return }
    try Self.succeeds("pipeline check out/*.pipeline")
    let tests = try Self.succeeds("pipeline test out")
    #expect(tests.output.contains("ok ") && tests.output.contains(" 0 failed\n"), "\(tests)")
    guard !(pair.isRefused && taken.isLeft) else {
      return #expect(try Tool.shell("pipeline run out/*.pipeline App.sqlite").status == 1)
    }
    try Self.succeeds("pipeline run out/*.pipeline App.sqlite")
    try Self.succeeds("pipeline verify App.sqlite")
  }

  @discardableResult
  private static func succeeds(_ line: String) throws -> Tool.Outcome {
    let outcome = try Tool.shell(line)
    #expect(outcome.status == 0, "\(line): \(outcome.output)\(outcome.errors)")
    return outcome
  }

  private static func lay(_ pair: Pair) throws {
    let folder = TemporaryFolder.url.appending(path: "M.xcdatamodeld")
    for (place, body) in pair.versions.enumerated() {
      let version = folder.appending(path: "M \(place + 1).xcdatamodel")
      try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
      try Data(ModelText.xml(body)).write(to: version.appending(path: "contents"))
    }
    let plist =
      "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key>"
      + "<string>M \(pair.versions.count).xcdatamodel</string></dict></plist>"
    try Data(plist.utf8).write(to: folder.appending(path: ".xccurrentversion"))
    try SampleStore.make(
      of: ModelText.model(pair.versions[0], name: "M 1"), at: samplePath("App.sqlite"),
      adding: pair.rows)
  }
}

/// What a user does with a pipeline file that has a list of what is undecided.
private struct Answers {
  /// Whether an answer leaves objects that a run refuses, as its note says.
  private(set) var isLeft = false
  /// How many answers the question with the most of them has.
  private(set) var most = 0
  private let folder: URL
  private var taken: Set<String> = []

  /// Takes the answer with this number of each decision, or its last one.
  init(taking number: Int, in folder: URL) throws {
    self.folder = folder
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let path = folder.appending(path: names.first { $0.hasSuffix(".pipeline") } ?? "")
    var lines: [String] = []
    var (offered, rules): ([String], [String]) = ([], [])
    var isInside = false
    let text = try String(contentsOf: path, encoding: .utf8)
    for line in text.components(separatedBy: "\n") {
      let words = line.drop { $0 == " " }
      if words == "undecided {" {
        isInside = true
      } else if isInside, words == "}," {
        isInside = false
        lines += [line] + rules.map { $0 + "," }
        rules = []
        continue
      } else if isInside, words.hasPrefix("--      ") {
        offered[offered.count - 1] += "  " + words.dropFirst(7)
        continue
      } else if isInside, words.hasPrefix("--     ") {
        offered[offered.count - 1] += " " + words.dropFirst(7)
        continue
      } else if isInside, words.hasPrefix("--   ") {
        offered.append(String(words.dropFirst(5)))
        continue
      } else if isInside, !offered.isEmpty {
        most = max(most, offered.count)
        // The end of a question: the name, or the next question of the same name.
        if taken.isDisjoint(with: offered.map(Self.text)) {
          let answer = offered[min(number, offered.count - 1)]
          if answer.contains("a run refuses") { isLeft = true }
          rules += try take(Self.text(of: answer))
        }
        offered = []
        continue
      }
      lines.append(line)
    }
    let stages = taken.filter { $0.hasPrefix("stage ") }
    let settled = lines.map { line in
      stages.first { line.hasSuffix("-- " + $0) || line.hasSuffix("-- \($0),") }
        .map { line.replacing("-- " + $0, with: $0) } ?? line
    }
    try Data(settled.joined(separator: "\n").utf8).write(to: path)
  }

  /// An answer without its note; empty where nothing is to be done.
  private static func text(of answer: String) -> String {
    answer.hasPrefix("nothing") ? "" : answer.components(separatedBy: "   ")[0]
  }

  /// Takes an answer; gives back the rule that it is.
  private mutating func take(_ answer: String) throws -> [String] {
    guard !answer.isEmpty else { return [] }
    taken.insert(answer)
    if answer.hasPrefix("stage ") { return [] }
    if answer.contains(" = function(") {
      var rest = answer + ","
      try uncomment { line in
        let code = line.trimmingPrefix("    -- ").trimmingPrefix("  ")
        guard line.hasPrefix("    -- "), rest.hasPrefix(code) else { return false }
        rest = String(rest.dropFirst(code.count).trimmingPrefix(" "))
        // Several scripts may have the function.
        if rest.isEmpty { rest = answer + "," }
        return true
      }
      return []
    }
    guard answer.hasPrefix("new.") else { return [answer] }
    var isInside = false
    try uncomment { line in
      if line.hasPrefix("  -- creates = ") { isInside = true }
      defer { if line == "  -- end," { isInside = false } }
      return isInside
    }
    return []
  }

  /// Takes the "-- " off lines of the scripts; one of them must have such a line.
  private func uncomment(_ isMeant: (String) -> Bool) throws {
    var count = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where name.hasSuffix(".lua") && !name.hasSuffix("_test.lua") {
      let path = folder.appending(path: name)
      let lines = try String(contentsOf: path, encoding: .utf8).components(separatedBy: "\n")
      let changed = lines.map { line in
        guard isMeant(line), let sign = line.range(of: "-- ") else { return line }
        count += 1
        return line.replacingCharacters(in: sign, with: "")
      }
      try Data(changed.joined(separator: "\n").utf8).write(to: path)
    }
    #expect(count > 0)
  }
}
