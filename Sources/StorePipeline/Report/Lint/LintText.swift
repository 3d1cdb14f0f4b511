internal import CoreDataStore

extension ModelLint {
  /// The findings for a terminal of this width, and the verdict.
  package func text(width: Int, style: Style) -> String {
    var table = TextTable(indent: 2)
    for finding in findings {
      let reason = finding.reason.map { "; allowed: \($0)" } ?? ""
      table.add(
        finding.level == "note" ? "allowed" : finding.level, finding.subject,
        "\(finding.rule.name): \(finding.words)\(reason)", tint: finding.tint)
    }
    let lines = table.lines(width: width, style)
    return ([style.bold("What the rules found")] + lines + ["  \(verdict)"])
      .joined(separator: "\n")
  }

  /// The findings as commands of a workflow, which GitHub shows next to the lines they are about.
  ///
  /// GitHub, *Workflow commands*: `::error file={name},line={line},title={title}::{message}`.
  package var annotations: String {
    let found = findings.map { finding in
      let reason = finding.reason.map { " (allowed: \($0))" } ?? ""
      return Self.annotation(
        finding.level == "note" ? "notice" : finding.level, path, finding.line, finding.rule.name,
        "\(finding.subject): \(finding.words)\(reason)")
    }
    let idle = unused.map { allowance in
      Self.annotation(
        "warning", allowance.file ?? path, allowance.file == nil ? nil : allowance.line,
        "unused allowance", allowance.complaint)
    }
    return (found + idle).joined(separator: "\n")
  }

  private static func annotation(
    _ level: String, _ path: String, _ line: Int?, _ title: String, _ message: String
  ) -> String {
    let place = line.map { ",line=\($0)" } ?? ""
    return "::\(level) file=\(escaped(path, "%\r\n:,"))\(place),title=\(escaped(title, "%\r\n:,"))"
      + "::\(escaped(message, "%\r\n"))"
  }

  /// A text in which some characters are written as `%` and their code, as the runner reads them.
  private static func escaped(_ text: String, _ special: String) -> String {
    text.unicodeScalars.map { scalar in
      guard special.unicodeScalars.contains(scalar) else { return String(scalar) }
      let code = String(scalar.value, radix: 16, uppercase: true)
      return "%\(code.count < 2 ? "0" : "")\(code)"
    }.joined()
  }
}

extension ModelLint.Allowance {
  /// What to say when it allows nothing.
  package var complaint: String {
    "\(rule)\(subject.map { ":\($0)" } ?? "") is allowed, and nothing was found that it allows"
  }
}

extension ModelLint.Finding {
  fileprivate var tint: TextTable.Tint {
    switch level {
    case "error": .bad
    case "warning": .attention
    default: .faint
    }
  }
}
