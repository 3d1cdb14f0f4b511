internal import CoreDataStore

/// A trial as people read it: each object next to what was made from it, what changed marked.
package struct TextTryReport {
  private let report: TryReport
  private let width: Int
  private let style: Style

  /// A trial, for a terminal of this width.
  package init(_ report: TryReport, width: Int = 80, style: Style = Style(isOn: false)) {
    self.report = report
    self.width = max(60, width)
    self.style = style
  }

  /// One line of the table: what was, the mark, what is.
  private struct Line {
    var left = ""
    var mark = " "
    var right = ""
  }

  /// The text, without a line end.
  package var text: String {
    let heading =
      "\(report.script): \(report.entity) of \(report.source) -> \(report.target)"
      + (report.through.first.map { ", in a store of \($0)" } ?? "")
    var blocks = [heading] + report.objects.map(block)
    if report.objects.isEmpty, report.failure == nil { blocks.append("No object was found.") }
    if let failure = report.failure { blocks.append(style.red("\(failure)")) }
    for (title, lines) in [("Warnings", report.warnings), ("Printed", report.printed)]
    where !lines.isEmpty {
      blocks.append(([title] + lines.map { "  \($0)" }).joined(separator: "\n"))
    }
    let failed = report.failed > 0 ? ", \(report.failed) failed" : ""
    blocks.append(
      "\(Plural.text(report.objects.count, "object"))\(failed); nothing was written")
    return blocks.joined(separator: "\n\n")
  }

  private func block(_ object: TryReport.Object) -> String {
    if let failure = object.failure {
      let lines = lines(object.source, nil)
      return rows(lines) + "\n" + style.red("\(failure)")
    }
    guard let first = object.made.first else {
      let end =
        object.endsBefore.map { version in
          "  the steps to \(version) make no \(report.entity) of it for the script"
        } ?? "  nothing is made from it"
      return rows(lines(object.source, nil)) + "\n" + style.yellow(end)
    }
    let partner = object.made.first { $0.properties.contains { $0.origin != nil } } ?? first
    let others = object.made.filter { $0 != partner }
    return rows(lines(object.source, partner))
      + others.map { "\n" + rows(added($0)) }.joined()
  }

  /// The lines of an object next to the one it becomes.
  private func lines(_ source: TryReport.Record, _ made: TryReport.Record?) -> [Line] {
    var lines = [
      Line(left: title(source), right: made.map(title) ?? "")
    ]
    var left = source.properties
    for property in made?.properties ?? [] {
      let place = left.firstIndex { $0.name == property.origin }
      guard let place else {
        lines.append(Line(mark: "+", right: cell(property)))
        continue
      }
      let old = left.remove(at: place)
      let isSame = old.text == property.text && old.name == property.name
      lines.append(Line(left: cell(old), mark: isSame ? " " : "~", right: cell(property)))
    }
    lines += left.map { Line(left: cell($0), mark: made == nil ? " " : "-") }
    return lines
  }

  private func added(_ made: TryReport.Record) -> [Line] {
    [Line(mark: "+", right: title(made))]
      + made.properties.filter { $0.text != "nil" && $0.text != "{}" }
      .map { Line(mark: "+", right: cell($0)) }
  }

  private func title(_ record: TryReport.Record) -> String { "\(record.entity) \(record.key)" }

  private func cell(_ property: TryReport.Property) -> String {
    "  \(property.name) = \(property.text)"
  }

  private func rows(_ lines: [Line]) -> String {
    let half = min((width - 3) / 2, lines.map(\.left.count).max() ?? 0)
    return lines.map { line in
      let left = line.left.cut(to: half).padded(to: half)
      let text = "\(left) \(line.mark) \(line.right.cut(to: width - half - 3))"
      return styled(text.trimmingTail, line.mark)
    }.joined(separator: "\n")
  }

  private func styled(_ text: String, _ mark: String) -> String {
    switch mark {
    case "+": style.green(text)
    case "-": style.red(text)
    case "~": style.yellow(text)
    default: text
    }
  }
}

extension String {
  /// The text on one line of at most so many characters.
  fileprivate func cut(to width: Int) -> String {
    let line = oneLine
    return line.count <= width ? line : String(line.prefix(max(0, width - 1))) + "…"
  }

  fileprivate var trimmingTail: String {
    String(reversed().drop { $0 == " " }.reversed())
  }
}
