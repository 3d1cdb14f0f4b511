internal import CoreDataStore
internal import Formats
internal import Foundation

/// The answers about backups, the ways back and interrupted runs as the JSON that programs rely on.
package enum JSONRecovery {
  package static func backups(_ backups: [BackupFacts], at path: String) -> String {
    let document: JSONValue = [
      "format": 1, "path": .string(path), "backups": .array(backups.map(backup)),
    ]
    return document.text(.pretty)
  }

  /// What `restore` of so many stores did, and `rollback`.
  package static func restore(_ summaries: [RestoreSummary], of count: Int = 1) -> String {
    let format = JSONValue.Member("format", .integer(1))
    let stores = summaries.map { summary -> [JSONValue.Member] in
      [
        .init("store", .string(summary.store)), .init("restored", backup(summary.backup)),
        .init("backup", .text(summary.replaced)), .init("unchanged", .bool(summary.isUnchanged)),
        .init("warnings", .texts(summary.warnings)),
      ]
    }
    let document: JSONValue =
      count == 1 && stores.count == 1
      ? .object([format] + stores[0])
      : .object([format, .init("stores", .array(stores.map(JSONValue.object)))])
    return document.text(.pretty)
  }

  package static func abandon(_ summary: AbandonSummary) -> String {
    let document: JSONValue = [
      "format": 1, "store": .string(summary.store), "run": .text(summary.run),
      "outcome": .string(summary.outcome.rawValue), "warnings": .texts(summary.warnings),
    ]
    return document.text(.pretty)
  }

  package static func clean(_ summary: StoreRecovery.CleanSummary) -> String {
    let document: JSONValue = [
      "format": 1, "store": .string(summary.store),
      "removed": .array(summary.removed.map(backup)),
      "left": .array(
        summary.left.map { ["path": .string($0.backup.path), "why": .string($0.why)] }),
      "givenUp": .count(summary.givenUp),
      "bytes": .integer(summary.removed.reduce(0) { $0 + $1.bytes }),
    ]
    return document.text(.pretty)
  }

  package static func status(_ status: StoreStatus) -> String {
    let run = status.run
    let document: JSONValue = [
      "format": 1, "store": .string(status.store), "work": .string(status.work),
      "run": .text(run?.id), "kind": .text(run?.work), "phase": .text(run?.phase),
      "running": run.map { .bool($0.isRunning) } ?? .null, "step": .count(run?.step),
      "stage": .text(run?.stage), "entity": .text(run?.entity), "rows": .count(run?.rows),
      "total": .count(run?.total), "started": .text(run?.started.formatted(.iso8601)),
      "resumable": run.map { .bool($0.isResumable) } ?? .null,
      "changed": .texts(run?.changed ?? []), "command": .texts(run?.command ?? []),
      "failed": .text(run?.failed ?? run?.refusal),
      "problem": .text(status.problem), "backups": .array(status.backups.map(backup)),
      "rejected": .array(status.rejected.map(\.json)),
      "rejects": .integer(Int64(status.rejects)),
    ]
    return document.text(.pretty)
  }

  private static func backup(_ backup: BackupFacts) -> JSONValue {
    [
      "path": .string(backup.path), "store": .string(backup.store), "run": .string(backup.run),
      "date": .string(backup.date.formatted(.iso8601)), "bytes": .integer(backup.bytes),
      "files": .integer(Int64(backup.files)),
      "verified": backup.isVerified.map(JSONValue.bool) ?? .null,
      "damaged": .bool(backup.isDamaged),
      "missing": .array(
        backup.missing.map {
          ["attribute": .string($0.attribute), "count": .integer(Int64($0.count))]
        }),
    ]
  }
}
