internal import CoreDataStore
internal import Formats
internal import Foundation
internal import OperatingSystem

/// The summary of a run as the JSON that programs rely on.
package struct JSONRunSummary {
  /// The document.
  package var text: String {
    JSONValue.object((value.members ?? []) + Self.place(of: store)).text(.pretty)
  }
  /// The same as it stands in a report, which may be read anywhere.
  let value: JSONValue
  private let store: String

  package init(_ summary: RunSummary) {
    store = summary.store
    let digests: JSONValue = [
      "pipeline": .string(summary.digests.pipeline),
      "scripts": .string(summary.digests.scripts),
      "models": .string(summary.digests.models),
    ]
    value = [
      "format": 1,
      "run": .string(summary.run),
      "store": .string(summary.store),
      "path": .string(Self.path(of: summary.store)),
      "status": .integer(Int64(summary.status)),
      "outcome": .string(summary.outcome.word),
      "output": .text(summary.outcome.path),
      "source": .string(summary.source),
      "target": .string(summary.target),
      "entities": .array(summary.entities.map(Self.entity)),
      "rejects": .array(summary.rejects.map(\.json)),
      "warnings": .texts(summary.warnings),
      "failures": .array(summary.failures.map(Self.failure)),
      "count": .integer(Int64(summary.failureCount)),
      "remedies": .array(summary.remedies.map(Self.remedy)),
      "lost": Self.lost(summary),
      "bytes": .integer(summary.bytes),
      "seconds": .real(summary.seconds),
      "rowsPerSecond": summary.rowsPerSecond.map(JSONValue.real) ?? .null,
      "peakMemory": .integer(summary.peakMemory),
      "backup": .text(summary.backup),
      "digest": digests,
    ]
  }

  /// The record of a run that an error has ended.
  static func failed(
    _ run: String, of store: String, _ plan: Plan, _ error: any Error
  ) -> String {
    let document: JSONValue = [
      "format": 1,
      "run": .string(run),
      "store": .string(store),
      "path": .string(path(of: store)),
      "status": .integer(Int64(RunStatus.of(error))),
      "outcome": error is CancellationError ? "interrupted" : "failed",
      "source": .text(plan.source?.name),
      "target": .string(plan.target.name),
      "error": .string(RunStatus.words(of: error)),
    ]
    return document.text(.pretty)
  }

  /// The absolute path of a store: who reads the document may be in another folder.
  static func path(of store: String) -> String {
    URL(filePath: store).absoluteURL.standardizedFileURL.path
  }

  /// The machine that a store is on, and the store's number there.
  ///
  /// Several machines may have a store at one path, and may have one store between them.
  static func place(of store: String) -> [JSONValue.Member] {
    let place = Self.path(of: store)
    let inode = FileSystem.entry(following: place)?.identity.inode
    let isShared = inode != nil && (try? FileSystem.isRemote(place)) == true
    return [
      .init("host", .string(Machine.name)),
      .init("inode", inode.map { .integer(Int64(truncatingIfNeeded: $0)) } ?? .null),
      .init("shared", .bool(isShared)),
    ]
  }

  /// What the last event of a run says of what the run has done.
  static func brief(_ summary: RunSummary) -> [JSONValue.Member] {
    [
      .init("outcome", .string(summary.outcome.word)), .init("source", .string(summary.source)),
      .init("target", .string(summary.target)), .init("objects", .count(summary.rows)),
      .init("seconds", .real(summary.seconds)), .init("lost", lost(summary)),
      .init("failures", .array(summary.failures.prefix(1).map(failure))),
    ]
  }

  private static func lost(_ summary: RunSummary) -> JSONValue {
    guard let lost = summary.lost else { return .null }
    return .object(
      lost.sorted { NameOrder.precedes($0.key, $1.key) }.map { .init($0.key, .count($0.value)) })
  }

  private static func entity(_ entity: RunSummary.Entity) -> JSONValue {
    [
      "name": .string(entity.name), "target": .text(entity.target),
      "in": .integer(Int64(entity.objectsBefore)),
      "out": .integer(Int64(entity.objectsAfter)), "rejected": .integer(Int64(entity.rejected)),
      "how": .string(entity.how), "of": entity.objectsInAll.map { .integer(Int64($0)) } ?? .null,
      "estimate": .bool(entity.isEstimate),
    ]
  }

  private static func remedy(_ remedy: RunSummary.Remedy) -> JSONValue {
    [
      "entity": .string(remedy.entity), "property": .string(remedy.property),
      "rule": .string(remedy.rule), "refusal": .text(remedy.refusal),
      "count": .count(remedy.count),
      "lines": .texts(remedy.lines),
    ]
  }

  /// A rule that is broken; with the value where values were asked for.
  static func failure(_ failure: RunSummary.BrokenRule) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("entity", .string(failure.entity)), .init("pk", .integer(failure.key)),
      .init("property", .string(failure.property)), .init("rule", .string(failure.rule)),
      .init("source", .bool(failure.isInSource)),
    ]
    if let script = failure.script { members.append(.init("script", .string(script))) }
    if let origin = failure.origin {
      let object: JSONValue = ["entity": .string(origin.entity), "pk": .integer(origin.key)]
      members.append(.init("origin", object))
    }
    if let value = failure.value { members.append(.init("value", .string(value))) }
    return .object(members)
  }
}

extension RunSummary.Outcome {
  var word: String {
    switch self {
    case .swapped: "swapped"
    case .written: "written"
    case .staged: "staged"
    case .stopped: "stopped"
    case .running: "running"
    case .upToDate: "up to date"
    case .dryRun: "dry run"
    case .invalid: "invalid"
    }
  }

  /// Where the new store is, when it is not in the old one's place.
  var path: String? {
    switch self {
    case .written(let path), .staged(let path): path
    case .dryRun(let kept): kept
    default: nil
    }
  }
}
