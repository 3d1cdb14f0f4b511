/// The results of tests as JUnit's XML, which build servers read.
package struct JUnitTestReport {
  private let summary: TestSummary

  /// The results.
  package init(_ summary: TestSummary) { self.summary = summary }

  /// The document.
  package var text: String {
    let files = Dictionary(grouping: summary.results, by: \.file)
    let broken = Dictionary(grouping: summary.problems, by: \.file)
    let names = Set(files.keys).union(broken.keys).sorted()
    let suites = names.map { suite($0, files[$0] ?? [], broken[$0] ?? []) }.joined()
    let seconds = summary.results.reduce(0) { $0 + $1.seconds }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites tests="\(summary.results.count)" failures="\(summary.failed)" \
      errors="\(summary.problems.count)" skipped="\(summary.skipped)" \
      time="\(Self.time(seconds))">
      \(suites)</testsuites>

      """
  }

  private func suite(_ name: String, _ results: [TestResult], _ problems: [Problem]) -> String {
    let failed = results.count { !$0.failure.isEmpty }
    let skipped = results.count { $0.skipped != nil }
    let start = """
      <testsuite name="\(Self.escaped(name))" tests="\(results.count)" failures="\(failed)" \
      errors="\(problems.count)" skipped="\(skipped)">

      """
    let errors = problems.map { problem in
      """
      <testcase name="loads" classname="\(Self.escaped(name))">\
      <error message="\(Self.escaped("\(problem)"))"/></testcase>

      """
    }
    return start + results.map(test).joined() + errors.joined() + "</testsuite>\n"
  }

  private func test(_ result: TestResult) -> String {
    let start = """
      <testcase name="\(Self.escaped(result.name))" classname="\(Self.escaped(result.file))" \
      file="\(Self.escaped(result.file))" line="\(result.line)" time="\(Self.time(result.seconds))"
      """
    if let reason = result.skipped {
      return start + "><skipped message=\"\(Self.escaped(reason))\"/></testcase>\n"
    }
    guard !result.passed else { return start + "/>\n" }
    let lines = result.failure.joined(separator: "\n")
    return start + """
      ><failure message="\(Self.escaped(result.failure.first ?? ""))">\
      \(Self.escaped(lines))</failure></testcase>

      """
  }

  private static func time(_ seconds: Double) -> String {
    let thousandths = Int((max(0, seconds) * 1000).rounded())
    let rest = String(1000 + thousandths % 1000).dropFirst()
    return "\(thousandths / 1000).\(rest)"
  }

  /// A text between quotes or tags; what XML 1.0 cannot hold is left out.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case _ where scalar.value < 0x20 && scalar != "\n" && scalar != "\t": escaped += "\u{FFFD}"
      case "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
