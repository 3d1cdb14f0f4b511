/// What a retry has done, as a person reads it.
package struct TextRetrySummary {
  private let summary: RetrySummary
  private let width: Int
  private let style: Style

  package init(_ summary: RetrySummary, width: Int = 80, style: Style = Style(isOn: false)) {
    self.summary = summary
    self.width = width
    self.style = style
  }

  /// The lines.
  package var text: String {
    var lines = headline.wrapped(to: width)
    if !summary.waiting.isEmpty { lines += [""] + waiting }
    if !summary.failures.isEmpty { lines += [""] + failures }
    if summary.left > 0 { lines += [""] + left }
    if let backup = summary.backup { lines += ["", "backup: \(backup.oneLine)"] }
    return lines.joined(separator: "\n")
  }

  private var headline: String {
    let store = summary.store.oneLine
    return switch summary.outcome {
    case .nothing:
      "\(store): no object " + (summary.left > 0 ? "can be retried" : "waits to be retried")
    case .swapped: style.green("\(store): \(counts)")
    case .failed: style.red("\(store): \(counts)") + "; the store is as it was"
    case .invalid:
      style.red("\(store): with the objects it would break rules of its model")
        + "; it is as it was"
    }
  }

  private var counts: String {
    guard !summary.entities.isEmpty else { return "the objects are in the store" }
    return summary.entities.map { entity in
      let left = entity.skipped > 0 ? " (\(Quantity.count(entity.skipped)) left out)" : ""
      let failed = entity.failed > 0 ? ", \(Quantity.count(entity.failed)) failed again" : ""
      return "\(entity.name.oneLine): \(Quantity.count(entity.made)) put in\(left)\(failed)"
    }.joined(separator: "; ")
  }

  private var waiting: [String] {
    let hidden = summary.failed - summary.waiting.count
    return ["Still waiting: \(Quantity.count(summary.failed))"]
      + RunSummary.Rejected.lines(of: summary.waiting, width, style)
      + (hidden > 0 ? ["  and \(Quantity.count(hidden)) more"] : [])
  }

  private var left: [String] {
    let objects = Plural.text(summary.left, "object")
    let hidden = summary.left - summary.leftObjects.count
    let backups = summary.leftIn.map { "  values and links: \($0.oneLine)" }
    return ["not tried: \(objects) that an earlier run rejected, or a script of several steps"]
      + RunSummary.Rejected.lines(of: summary.leftObjects, width, style)
      + (hidden > 0 ? ["  and \(Quantity.count(hidden)) more"] : [])
      + (backups.isEmpty ? ["  values and links: no backup has them any more"] : backups)
  }

  private var failures: [String] {
    var table = TextTable(indent: 2)
    for failure in summary.failures {
      table.add("\(failure.entity) \(failure.key)", failure.property, failure.rule, tint: .bad)
    }
    return ["Failures"] + table.lines(width: width, style)
  }
}
