internal import CoreDataStore
internal import StoreMigration

/// Makes the report of a run: what is different by it, with what the run says of itself.
struct RunReport {
  let summary: RunSummary
  /// What is different; nil where nothing was compared.
  let difference: DifferenceReport?
  /// What happened to every value; nil where nothing was counted.
  let losses: LossReport?
  /// The objects that the run rejected, up to ``mostRejects``.
  let rejects: [Reject]

  /// How many rejected objects are listed one by one.
  static let mostRejects = 1000

  var report: DifferenceReport {
    var report = difference ?? empty
    report.run = summary
    report.run?.lost = losses?.lostByProperty
    report.losses = losses
    report.title = title
    report.remark = remark
    report.answer = answer(report)
    for entity in summary.entities where entity.rejected > 0 {
      report.rejected[entity.target ?? entity.name] = entity.rejected
    }
    if !rejects.isEmpty { report.sections.append(rejected) }
    return report
  }

  private var empty: DifferenceReport {
    DifferenceReport(
      before: .init(path: summary.store, version: summary.source),
      after: .init(path: summary.outcome.path ?? summary.store, version: summary.target))
  }

  private var title: String {
    switch summary.outcome {
    case .swapped, .written, .staged: "What the migration changed"
    case .dryRun: "What the migration would change"
    case .invalid: "What the migration would have changed"
    case .stopped, .running, .upToDate: "What the run did"
    }
  }

  /// What is said in place of a comparison, or before it.
  private func answer(_ report: DifferenceReport) -> String? {
    guard difference == nil else {
      return sample.map { "\($0) \(report.verdict)" }
    }
    return switch summary.outcome {
    case .upToDate: "The store is of the version \(summary.target) already."
    case .stopped(let stage): "The run stopped after \(stage): there is no new store yet."
    case .running: "There is no new store to compare yet."
    case .swapped:
      "The run was cut short in its last stage, and was resumed without a comparison: pipeline "
        + "diff compares the store with its backup."
    default: "The stores were not compared."
    }
  }

  private var sample: String? {
    let all = summary.entities.compactMap(\.objectsInAll).reduce(0, +)
    guard summary.entities.contains(where: { $0.objectsInAll != nil }) else { return nil }
    let about = summary.entities.contains(where: \.isEstimate) ? "about " : ""
    return "A sample: \(Quantity.count(summary.rows)) of \(about)\(Plural.text(all, "object"))."
  }

  /// What happened to the store, as the last sentence says it.
  private var remark: String {
    let store = summary.store.oneLine
    return switch summary.outcome {
    case .swapped: ""
    case .dryRun(let kept):
      (kept.map { "The result is kept: \($0.oneLine). " } ?? "")
        + "\(store) was only read: it and all that lies next to it are as they were."
    case .written, .staged, .stopped, .running, .upToDate, .invalid: "\(store) is as it was."
    }
  }

  private var rejected: DifferenceReport.Section {
    let all = summary.entities.reduce(0) { $0 + $1.rejected }
    let rest = all > rejects.count ? " The first \(Quantity.count(rejects.count)) are listed." : ""
    return DifferenceReport.Section(
      title: "Objects that were rejected",
      note: "They are in neither store: \(Plural.text(all, "object")).\(rest)",
      columns: ["Object", "Why", "Script"],
      rows: rejects.map { reject in
        [
          "\(reject.entity) \(reject.key)", reject.reason,
          reject.line > 0 ? "\(reject.script):\(reject.line)" : reject.script,
        ]
      })
  }
}
