internal import CoreDataStore
internal import Formats
internal import Foundation

/// The record of a run that the store itself keeps: an entry of `PipelineLog` in its metadata.
///
/// The number of objects that the new store has is added when the metadata is written.
struct RunRecord {
  private let entries: [String: PropertyList]

  init(_ id: RunID, tool: String, _ plan: Plan, objects: Int, rejected: Int) {
    entries = [
      "run": .string(id.text), "date": .string(TimeText(id.start.timeIntervalSince1970).extended),
      "tool": .string("pipeline \(tool)"), "source": .string(plan.source?.name ?? ""),
      "target": .string(plan.target.name), "pipeline": .string(plan.digests.pipeline),
      "scripts": .string(plan.digests.scripts), "models": .string(plan.digests.models),
      "in": .integer(Int64(objects)), "rejected": .integer(Int64(rejected)),
    ]
  }

  /// The record of a run that retries objects which an earlier one rejected.
  init(
    _ id: RunID, tool: String, _ plan: Plan, objects: Int, made: Int, of earlier: String,
    above highest: Int64
  ) {
    let record = RunRecord(id, tool: tool, plan, objects: objects, rejected: objects - made)
    entries = record.entries.merging(
      [
        "retried": .string(earlier), "out": .integer(Int64(made)),
        Self.highestKey: .integer(highest),
      ]
    ) { _, new in new }
  }

  /// What a retry has made has keys above this one: when it is done again, it gets the same.
  private static let highestKey = "above"

  /// These keys by the run, of a store's log.
  static func highestKeys(in log: [PropertyList]) -> [String: Int64] {
    let pairs = log.compactMap { record -> (String, Int64)? in
      guard let run = record.dictionary?["run"]?.string,
        let highest = record.dictionary?[highestKey]?.integer
      else { return nil }
      return (run, highest)
    }
    return Dictionary(pairs) { _, last in last }
  }

  /// The record as a store's metadata has it.
  var plist: PropertyList { .dictionary(entries) }
}

extension Plan {
  /// How many objects the source has, as far as they were counted.
  var objectCount: Int {
    Int((steps.first?.entities ?? []).reduce(0) { $0 + ($1.rows ?? 0) })
  }
}
