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

  package static func clean(_ removed: [BackupFacts], store: String) -> String {
    if removed.isEmpty { return "\(store.oneLine): no backup is removed" }
    let bytes = Quantity.bytes(Int(removed.reduce(0) { $0 + $1.bytes }))
    return removed.map { "removed \($0.path.oneLine)" }.joined(separator: "\n")
      + "\n\(store.oneLine): \(Plural.text(removed.count, "backup")) removed, \(bytes)"
  }
}
