import Foundation

/// The page of the documentation with everything that one run of the benchmarks measured.
struct MeasuredPage {
  private let findings: Findings
  private let remark: String

  /// Findings, and a line that says what was measured where.
  init(_ findings: Findings, remark: String) {
    (self.findings, self.remark) = (findings, remark)
  }

  /// The page: the goals, then who took part in each race.
  var text: String {
    let goals = GoalTable(findings.goals)
    let first = [Self.head, "\(remark).", "### Goals", goals.rows.markdown(lastIsText: true)]
    let races = findings.races.flatMap { result in
      let table = RaceTable(result)
      return [
        "### \(result.race.title)",
        "Each ratio is to *\(result.race.baseline)* in the same round.", table.rows.markdown(),
        Self.list(table.missing),
      ]
    }
    let parts = first + [Self.list(goals.missing)] + races
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  /// Writes it to a file.
  func write(to path: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }

  private static func list(_ lines: [String]) -> String {
    lines.map { "- \($0)" }.joined(separator: "\n")
  }

  private static let head = """
    # What one machine measured

    The goals and all contenders, as `make bench` measured them.

    ## Overview

    `make bench` writes this page. [Speed](Speed.md) explains stores, migrations and
    measures, [What a run costs](WhatARunCosts.md) where the time goes in what is missed.
    """
}
