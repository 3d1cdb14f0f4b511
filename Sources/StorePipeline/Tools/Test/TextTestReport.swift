/// The results of tests as people read them: failures in full, then how many there were.
package struct TextTestReport {
  private let summary: TestSummary
  private let style: Style

  /// The results.
  package init(_ summary: TestSummary, style: Style = Style(isOn: false)) {
    self.summary = summary
    self.style = style
  }

  /// The text, without a line end.
  package var text: String {
    var lines: [String] = []
    for result in summary.results {
      lines.append("\(mark(result)) \(result.file):\(result.line): \(result.name.oneLine)")
      if let reason = result.skipped { lines.append("        \(reason.printable)") }
      lines += result.failure.map { "        \($0.printable)" }
    }
    return (lines + [style.bold(summary.closingLine)]).joined(separator: "\n")
  }

  private func mark(_ result: TestResult) -> String {
    if result.skipped != nil { return style.yellow("skip ") }
    return result.passed ? style.green("ok   ") : style.red("FAIL ")
  }
}
