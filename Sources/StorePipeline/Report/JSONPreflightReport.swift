internal import CoreDataStore
internal import Formats
internal import StoreMigration

/// What a preflight found, as the JSON that programs rely on.
package struct JSONPreflightReport {
  /// The document.
  package let text: String

  /// The document of what was found for each version that was looked at; none is nothing to do.
  package init(_ found: [VersionPreflight], _ plan: Plan) {
    let counts = found.map { $0.result.errors + $0.result.warnings }
    let document: JSONValue = [
      "format": 1,
      "target": .string(plan.target.name),
      "versions": .array(
        zip(found, counts).map { part, count in
          [
            "version": .string(part.version), "steps": .count(part.steps), "count": .count(count),
            "errors": .count(part.result.errors),
          ]
        }),
      "failures": .array(
        found.flatMap { part in part.result.failures.map { Self.failure($0, part.version) } }),
      "count": .count(counts.reduce(0, +)),
      "kinds": .array(
        found.flatMap { part in part.result.kinds.map { Self.kind($0, part.version) } }),
      "unchecked": .texts(Self.unchecked(found)),
      "stepsLeft": .count(plan.steps.count - found.count),
    ]
    text = document.text(.pretty)
  }

  /// What was not looked at, each thing once.
  static func unchecked(_ found: [VersionPreflight]) -> [String] {
    var seen: Set<String> = []
    return found.flatMap(\.result.unchecked).filter { seen.insert($0).inserted }
  }

  private static func failure(_ failure: RuleFailure, _ version: String) -> JSONValue {
    [
      "entity": .string(failure.entity), "pk": .integer(failure.key),
      "property": .string(failure.property), "rule": .string(failure.rule),
      "source": .bool(failure.inSource), "version": .string(version),
    ]
  }

  private static func kind(_ kind: PreflightResult.Kind, _ version: String) -> JSONValue {
    [
      "entity": .string(kind.count.entity), "property": .string(kind.count.property),
      "rule": .string(kind.count.rule), "errors": .count(kind.count.errors),
      "warnings": .count(kind.count.warnings), "remedies": .texts(kind.remedies),
      "refusal": .text(kind.refusal), "version": .string(version),
    ]
  }
}
