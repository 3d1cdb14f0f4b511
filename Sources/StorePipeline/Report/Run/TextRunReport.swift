/// A run with what is different by it, as a person reads it.
package struct TextRunReport {
  /// The lines.
  package let text: String

  /// The text of a run with at most `limit` objects, for a terminal of this width.
  ///
  /// - Throws: `Failure` when the objects cannot be read.
  package init(
    _ summary: RunSummary, _ report: DifferenceReport, limit: Int, width: Int, style: Style
  ) throws {
    let parts = [
      TextRunSummary(summary, width: width, style: style).text,
      try TextDifferenceReport(report, limit: limit, width: width, style: style).text,
    ]
    text = parts.joined(separator: "\n\n")
  }
}
