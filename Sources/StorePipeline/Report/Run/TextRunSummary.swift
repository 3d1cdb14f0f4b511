internal import CoreDataStore
internal import Foundation
internal import OperatingSystem
internal import StoreReplacement

/// The summary of a run as a person reads it.
package struct TextRunSummary {
  private let summary: RunSummary
  private let width: Int
  private let style: Style

  package init(_ summary: RunSummary, width: Int = 80, style: Style = Style(isOn: false)) {
    self.summary = summary
    self.width = width
    self.style = style
  }

  /// The lines.
  package var text: String {
    var lines = headlineLines
    if !summary.entities.isEmpty { lines += [""] + entities }
    if !summary.rejects.isEmpty { lines += [""] + rejects }
    if !summary.failures.isEmpty { lines += [""] + failures }
    if !summary.remedies.isEmpty { lines += [""] + remedies }
    if !summary.entities.isEmpty { lines += [""] + figures.wrapped(to: width) }
    if let backup = summary.backup { lines += ["backup: \(backup.oneLine)", undo(backup)] }
    return lines.joined(separator: "\n")
  }

  /// The one command that puts the old store back.
  private func undo(_ backup: String) -> String {
    "undo: \(command(["restore", backup, summary.store], backup))"
  }

  private func retry(_ backup: String) -> String { command(["retry", summary.store], backup) }

  private func command(_ words: [String], _ backup: String) -> String {
    // A swap's backup is in `backups` in the work folder.
    let work = FileSystem.folder(of: FileSystem.folder(of: FileSystem.resolved(backup)))
    return SuggestedCommand.text(words, of: FileSystem.resolved(summary.store), work: work)
  }

  /// The first sentence; the path that it begins with is not broken.
  private var headlineLines: [String] {
    let place =
      switch summary.outcome {
      case .written(let path), .staged(let path): path
      default: summary.store
      }
    let text = headline
    let end = text.range(of: place.oneLine)?.upperBound ?? text.startIndex
    // The colon belongs to it.
    return text.wrapped(to: width, behind: text.distance(from: text.startIndex, to: end) + 1)
  }

  private var headline: String {
    let (store, target) = (summary.store.oneLine, summary.target.oneLine)
    let versions = "\(summary.source.oneLine) -> \(target)"
    return switch summary.outcome {
    case .swapped: style.green("\(store): \(versions)")
    case .written(let path):
      style.green("\(path.oneLine): \(versions)") + ", from \(store), which is as it was"
    case .staged(let path):
      "\(path.oneLine): \(versions), not in its place, as no stage \"swap\" {} puts it there; "
        + "\(store) is as it was"
    case .stopped(let stage):
      "\(store): stopped after \(stage.oneLine); the same command without --until continues it"
    case .dryRun: style.green("\(store): \(versions), a dry run")
    case .running: "\(store): \(versions), on its way"
    case .upToDate: "\(store): is \(target) already"
    case .invalid:
      style.red("\(store): the new store would break rules of \(target)")
        + "; the old one is as it was"
    }
  }

  private var entities: [String] {
    var table = TextTable(indent: 2, numbers: [1, 2, 3])
    let hasRejected = summary.entities.contains { $0.rejected > 0 }
    let isSample = summary.entities.contains { $0.objectsInAll != nil }
    func row(_ name: String, _ counts: [String], _ how: String) {
      let cells = [name] + counts.prefix(hasRejected ? 3 : 2) + [how]
      table.rows.append(TextTable.Row(cells: cells.map(\.oneLine)))
    }
    table.numbers = hasRejected ? [1, 2, 3] : [1, 2]
    row("entity", ["in", "out", "rejected"], "how")
    for (entity, counter) in zip(summary.entities, summary.counters) {
      let counts = [
        Quantity.count(entity.objectsBefore),
        counter == nil ? Quantity.count(entity.objectsAfter) : "",
        Quantity.count(entity.rejected),
      ]
      let isSame = entity.target == nil || entity.target == entity.name
      row(
        isSame ? entity.name : "\(entity.name) -> \(entity.target ?? "")",
        counts,
        entity.how + (counter.map { ", counted with \($0)" } ?? "")
          + (isSample ? ", of \(entity.allWords)" : ""))
    }
    return table.lines(width: width, style)
  }

  /// How many rejected objects are listed.
  private static let mostRejects = 10

  private var rejects: [String] {
    let all = summary.entities.reduce(0) { $0 + $1.rejected }
    let listed = Array(summary.rejects.prefix(Self.mostRejects))
    let hidden = max(all, summary.rejects.count) - listed.count
    return [style.bold("Rejected")] + RunSummary.Rejected.lines(of: listed, width, style)
      + (hidden > 0 ? ["  and \(Quantity.count(hidden)) more, in `pipeline rejects`"] : [])
      + (summary.backup.map { ["put in, once the script is corrected: \(retry($0))"] } ?? [])
  }

  private var failures: [String] {
    var table = TextTable(indent: 2)
    for failure in summary.failures {
      let value = failure.value.map { " (\($0.oneLine))" } ?? ""
      let age = failure.isInSource ? "; so it was in the source" : ""
      table.add(
        failure.entity.isEmpty ? "expected" : "\(failure.entity) \(failure.key)", failure.property,
        failure.rule + value + age + failure.maker,
        tint: failure.isInSource ? .attention : .bad)
    }
    let hidden = summary.failureCount - summary.failures.count
    return ["Failures: \(Quantity.count(summary.failureCount))"]
      + table.lines(width: width, style)
      + (hidden > 0 ? ["  and \(Quantity.count(hidden)) more"] : [])
  }

  private var remedies: [String] {
    [style.bold("Nothing was written. What would settle it, each line by itself")]
      + summary.remedies.flatMap { remedy in
        let objects = Plural.text(remedy.count, "object")
        let name = "\(remedy.entity) \(remedy.property), \(remedy.rule): \(objects)"
        let refusal = remedy.refusal.map { ["    Core Data ends the migration with \($0)"] } ?? []
        return ["  \(name.oneLine)"] + refusal + remedy.lines.map { "    \($0.oneLine)" }
      }
  }

  private var figures: String {
    let rate = summary.rowsPerSecond.map { " (\(Quantity.count(Int($0.rounded()))) a second)" }
    let objects = summary.rows == 1 ? "1 object" : "\(Quantity.count(summary.rows)) objects"
    return
      "\(objects), \(Quantity.bytes(Int(summary.bytes))), "
      + "\(Quantity.duration(summary.seconds))\(rate ?? ""), "
      + "\(Quantity.bytes(Int(summary.peakMemory))) of memory at most"
  }
}
