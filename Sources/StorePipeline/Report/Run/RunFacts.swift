internal import CoreDataStore

/// What a run says of itself, as tables for the reports that have no summary of it above.
struct RunFacts {
  let summary: RunSummary

  /// What a reader is to see first; a table without a row is left out.
  var urgent: [DifferenceReport.Section] { [failures, warnings].filter { !$0.rows.isEmpty } }

  /// What is of interest after all else.
  var closing: [DifferenceReport.Section] { [entities, figures].filter { !$0.rows.isEmpty } }

  private var failures: DifferenceReport.Section {
    let rest = summary.failureCount - summary.failures.count
    return DifferenceReport.Section(
      title: "Rules that are broken",
      note: rest > 0 ? "And \(Quantity.count(rest)) more." : "",
      columns: ["Object", "Property", "Rule", "So it was before"],
      rows: summary.failures.map { failure in
        [
          failure.entity.isEmpty ? "expected" : "\(failure.entity) \(failure.key)",
          failure.property,
          failure.rule + (failure.value.map { " (\($0))" } ?? "") + failure.maker,
          failure.isInSource ? "yes" : "no",
        ]
      })
  }

  private var warnings: DifferenceReport.Section {
    DifferenceReport.Section(
      title: "What needs a person's eye", columns: ["Warning"],
      rows: summary.warnings.map { [$0] })
  }

  private var entities: DifferenceReport.Section {
    let isSample = summary.entities.contains { $0.objectsInAll != nil }
    return DifferenceReport.Section(
      title: "How the objects travelled",
      columns: ["Entity", "Objects before", "After", "Rejected", "How"]
        + (isSample ? ["In the whole store"] : []),
      rows: zip(summary.entities, summary.counters).map { entity, counter in
        let name =
          entity.target.map { $0 == entity.name ? $0 : "\(entity.name) → \($0)" } ?? entity.name
        return [
          name, Quantity.count(entity.objectsBefore),
          counter == nil ? Quantity.count(entity.objectsAfter) : "",
          Quantity.count(entity.rejected),
          entity.how + (counter.map { ", counted with \($0)" } ?? ""),
        ] + (isSample ? [entity.allWords] : [])
      })
  }

  private var figures: DifferenceReport.Section {
    var rows = [["Run", summary.run], ["Outcome", summary.outcome.word]]
    if summary.bytes > 0 { rows.append(["New store", Quantity.bytes(Int(summary.bytes))]) }
    rows.append(["Time", Quantity.duration(summary.seconds)])
    rows.append(["Memory at most", Quantity.bytes(Int(summary.peakMemory))])
    if let backup = summary.backup { rows.append(["Backup", backup]) }
    rows.append(["Pipeline", summary.digests.pipeline])
    rows.append(["Scripts", summary.digests.scripts])
    rows.append(["Models", summary.digests.models])
    return DifferenceReport.Section(title: "The run", columns: ["What", "Value"], rows: rows)
  }
}

extension RunSummary.Entity {
  /// How many objects the whole store has.
  var allWords: String {
    (isEstimate ? "about " : "") + Quantity.count(objectsInAll ?? 0)
  }
}
