/// The forms in which a difference can be written to a file.
package enum DifferenceForm: String, Sendable, CaseIterable {
  case html
  case markdown = "md"
  case json

  /// The form that a file's name ends in.
  package init?(path: String) {
    guard let dot = path.lastIndex(of: ".") else { return nil }
    let ending = path[path.index(after: dot)...].lowercased()
    self.init(rawValue: ["htm": "html", "markdown": "md"][ending] ?? ending)
  }

  /// The file's text.
  package func text(of report: DifferenceReport) -> String {
    switch self {
    case .html: HTMLDifferenceReport(report).text
    case .markdown: MarkdownDifferenceReport(report).text
    case .json: JSONDifferenceReport(report, limit: .max).text + "\n"
    }
  }
}
