internal import Formats

/// What a later verification found, as the JSON that programs rely on.
package struct JSONVerificationSummary {
  /// The document.
  package let text: String

  package init(_ summary: VerificationSummary) {
    let document: JSONValue = [
      "format": 1, "store": .string(summary.store), "run": .string(summary.run),
      "backup": .string(summary.backup), "source": .string(summary.source),
      "target": .string(summary.target), "objects": .count(summary.objects),
      "failures": .array(summary.differences.map(Self.failure)), "count": .count(summary.count),
      "since": .count(summary.since), "untouched": .bool(summary.isUntouched),
      "complete": .bool(summary.isComplete), "same": .bool(summary.isSame),
      "warnings": .texts(summary.warnings),
    ]
    text = document.text(.pretty)
  }

  private static func failure(_ difference: VerificationSummary.Difference) -> JSONValue {
    [
      "entity": .string(difference.entity), "pk": .integer(difference.key),
      "property": .string(difference.property), "rule": .string(difference.rule),
      "source": .bool(false), "since": .bool(difference.isSince),
    ]
  }
}
