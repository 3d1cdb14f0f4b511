internal import CoreDataStore

/// The answers about backups and the ways back as a person reads them.
package enum TextRecovery {
  package static func backups(_ backups: [BackupFacts], at path: String) -> String {
    backups.map { backup in
      let files = backup.files == 1 ? "1 file" : "\(Quantity.count(backup.files)) files"
      let missing = backup.missing.reduce(0) { $0 + $1.count }
      let check =
        missing == 0
        ? "verified" : "\(Plural.text(missing, "large value")) missing, the rest verified"
      return "\(backup.path.oneLine): \(files), \(Quantity.bytes(Int(backup.bytes))), \(check)"
    }.joined(separator: "\n")
  }

  /// What `restore` and `rollback` did.
  package static func restore(_ summary: RestoreSummary) -> String {
    let store = summary.store.oneLine
    let lines = ["\(store): is as in \(summary.backup.path.oneLine)"]
    if summary.isUnchanged { return lines[0] + " already; nothing was replaced" }
    guard let replaced = summary.replaced else { return lines[0] }
    return (lines + ["backup of what was there: \(replaced.oneLine)"]).joined(separator: "\n")
  }

  package static func abandon(_ summary: AbandonSummary) -> String {
    let store = summary.store.oneLine
    let run = summary.run.map { "run \($0.oneLine)" } ?? "the run"
    return switch summary.outcome {
    case .none: "\(store): no run"
    case .over: "\(store): \(run) was over; its files are removed"
    case .abandoned: "\(store): \(run) is abandoned; the store is as it was"
    case .finished: "\(store): \(run) had replaced the store already; what was left is done"
    }
  }

  package static func clean(_ summary: StoreRecovery.CleanSummary) -> String {
    let (removed, store) = (summary.removed, summary.store.oneLine)
    var lines = removed.map { "removed \($0.path.oneLine)" }
    lines += summary.left.map { "left \($0.backup.path.oneLine): \($0.why.oneLine)" }
    if summary.givenUp > 0 {
      lines.append("\(store): \(Plural.text(summary.givenUp, "rejected object")) given up")
    }
    let bytes = Quantity.bytes(Int(removed.reduce(0) { $0 + $1.bytes }))
    lines.append(
      removed.isEmpty
        ? "\(store): no backup is removed"
        : "\(store): \(Plural.text(removed.count, "backup")) removed, \(bytes)")
    return lines.joined(separator: "\n")
  }
}
