internal import CoreDataStore
internal import Formats

/// What a retry has done, as the JSON that programs rely on.
package struct JSONRetrySummary {
  /// The document.
  package let text: String

  package init(_ summary: RetrySummary) {
    let document: JSONValue = [
      "format": 1, "store": .string(summary.store), "status": .integer(Int64(summary.status)),
      "outcome": .string(summary.outcome.rawValue), "run": .text(summary.run),
      "retried": .text(summary.earlier), "entities": .array(summary.entities.map(Self.entity)),
      "waiting": .array(summary.waiting.map(\.json)), "count": .count(summary.failed),
      "left": .count(summary.left), "leftObjects": .array(summary.leftObjects.map(\.json)),
      "leftIn": .texts(summary.leftIn),
      "failures": .array(summary.failures.map(JSONRunSummary.failure)),
      "backup": .text(summary.backup), "warnings": .texts(summary.warnings),
    ]
    text = document.text(.pretty)
  }

  private static func entity(_ entity: RetrySummary.Entity) -> JSONValue {
    [
      "name": .string(entity.name), "made": .count(entity.made),
      "skipped": .count(entity.skipped), "failed": .count(entity.failed),
    ]
  }
}
