import Formats
import Foundation

/// The figures for programs: an array, the goals first, then what every contender took.
struct BenchJSON {
  private let findings: Findings

  init(_ findings: Findings) { self.findings = findings }

  /// The document.
  var text: String {
    let goals = findings.goals.map { goal in
      entry(
        goal: .string(goal.text), id: goal.id, reached: goal.isReached, measure: goal.measure,
        goal.spread, by: goal.method, why: goal.why)
    }
    let races = findings.races.flatMap { result in
      result.race.contenders.map { contender in
        entry(
          goal: .null, reached: nil,
          measure: "\(result.race.name): \(contender.name) / \(result.race.baseline)",
          result.ratio(contender.name), why: result.lack(of: contender.name))
      }
    }
    return JSONValue.array(goals + races).text(.pretty) + "\n"
  }

  /// Writes it to a file.
  func write(to path: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }

  private func entry(
    goal: JSONValue, id: String? = nil, reached: Bool?, measure: String, _ spread: Spread?,
    by method: Goal.Method = .clock, why: BenchError?
  ) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("goal", goal), .init("reached", reached.map(JSONValue.bool) ?? .null),
      .init("measure", .string(measure)),
    ]
    for (name, value) in [
      ("median", spread?.median), ("min", spread?.min), ("max", spread?.max),
    ] {
      members.append(.init(name, value.map(JSONValue.real) ?? .null))
    }
    if let id { members.append(.init("id", .string(id))) }
    members.append(.init("by", .string(method.rawValue)))
    if let why { members.append(.init("why", .string(why.description))) }
    return .object(members)
  }
}
