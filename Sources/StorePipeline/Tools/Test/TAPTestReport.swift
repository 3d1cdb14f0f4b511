internal import Formats

/// The results of tests in the Test Anything Protocol, version 14 (testanything.org).
package struct TAPTestReport {
  private let summary: TestSummary

  /// The results.
  package init(_ summary: TestSummary) { self.summary = summary }

  /// The document, without a line end at its end.
  package var text: String {
    let problems = summary.problems.map {
      (passed: false, name: "\($0.file) loads", skipped: String?.none, lines: ["\($0)"])
    }
    let tests = summary.results.map { result in
      (
        passed: result.failure.isEmpty, name: "\(result.file):\(result.line): \(result.name)",
        skipped: result.skipped, lines: result.failure
      )
    }
    let all = tests + problems
    var lines = ["TAP version 14", "1..\(all.count)"]
    for (number, test) in all.enumerated() {
      let skip = test.skipped.map { " # SKIP \(Self.escaped($0))" } ?? ""
      lines.append(
        "\(test.passed ? "ok" : "not ok") \(number + 1) - \(Self.escaped(test.name))\(skip)")
      if !test.passed { lines += Self.block(test.lines) }
    }
    return lines.joined(separator: "\n")
  }

  /// "Any # or \\ in the description must be escaped" (TAP 14, Test Points).
  private static func escaped(_ name: String) -> String {
    name.oneLine.spelling { $0 == "\\" || $0 == "#" ? "\\\($0)" : nil }
  }

  /// A YAML block with the failure's lines, as they are.
  private static func block(_ lines: [String]) -> [String] {
    ["  ---", "  message: |"]
      + lines.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) }
      .map { "    \(String($0).oneLine)" } + ["  ..."]
  }
}
