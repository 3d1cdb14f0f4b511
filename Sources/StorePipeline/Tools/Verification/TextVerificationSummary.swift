/// What a later verification found, as a person reads it.
package struct TextVerificationSummary {
  private let summary: VerificationSummary
  private let width: Int
  private let style: Style

  package init(
    _ summary: VerificationSummary, width: Int = 80, style: Style = Style(isOn: false)
  ) {
    self.summary = summary
    self.width = width
    self.style = style
  }

  /// The lines.
  package var text: String {
    let lines = headline.wrapped(to: width) + ["backup: \(summary.backup.oneLine)"]
    guard summary.count > 0 else { return lines.joined(separator: "\n") }
    return (lines + [""] + differences).joined(separator: "\n")
  }

  private var headline: String {
    let store = summary.store.oneLine
    let objects = Plural.text(summary.objects, "object")
    let run = "the run \(summary.run.oneLine)"
    guard summary.count > 0 else {
      let age = summary.isUntouched ? "it was not written to since" : "it was written to since"
      guard summary.isComplete else {
        return style.yellow("\(store): may be what \(run) makes of its backup")
          + ": not all of it was compared, \(objects); \(age)"
      }
      return style.green("\(store): is what \(run) makes of its backup") + ", \(objects); \(age)"
    }
    return style.red("\(store): is not what \(run) makes of its backup") + ", \(objects)"
  }

  private var differences: [String] {
    var table = TextTable(indent: 2)
    for difference in summary.differences {
      table.add(
        "\(difference.entity) \(difference.key)", difference.property, difference.rule,
        tint: difference.isSince ? .attention : .bad)
    }
    let hidden = summary.count - summary.differences.count
    let since =
      summary.since > 0
      ? "; of objects made or saved after the run: \(Quantity.count(summary.since))" : ""
    return ["Differences: \(Quantity.count(summary.count))\(since)"]
      + table.lines(width: width, style)
      + (hidden > 0 ? ["  and \(Quantity.count(hidden)) more"] : [])
  }
}
