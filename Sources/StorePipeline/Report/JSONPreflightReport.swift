package import CoreDataStore
internal import Formats

/// What a preflight found, as the JSON that programs rely on.
package struct JSONPreflightReport {
  /// The document.
  package let text: String

  /// The document of what was found; nil is nothing to do.
  package init(_ result: PreflightResult?, _ plan: Plan) {
    let document: JSONValue = [
      "format": 1,
      "target": .string((plan.steps.first?.to ?? plan.target).name),
      "failures": .array((result?.failures ?? []).map(Self.failure)),
      "count": .count((result?.errors ?? 0) + (result?.warnings ?? 0)),
      "kinds": .array((result?.kinds ?? []).map(Self.kind)),
      "unchecked": .texts(result?.unchecked ?? []),
      "stepsLeft": .count(max(plan.steps.count - 1, 0)),
    ]
    text = document.text(.pretty)
  }

  private static func failure(_ failure: RuleFailure) -> JSONValue {
    [
      "entity": .string(failure.entity), "pk": .integer(failure.key),
      "property": .string(failure.property), "rule": .string(failure.rule),
      "source": .bool(failure.inSource),
    ]
  }

  private static func kind(_ kind: PreflightResult.Kind) -> JSONValue {
    [
      "entity": .string(kind.count.entity), "property": .string(kind.count.property),
      "rule": .string(kind.count.rule), "errors": .count(kind.count.errors),
      "warnings": .count(kind.count.warnings), "remedies": .texts(kind.remedies),
    ]
  }
}
