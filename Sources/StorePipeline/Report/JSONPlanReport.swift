internal import CoreDataStore
internal import Formats
internal import StoreMigration

/// A plan as the JSON that programs rely on, which is accepted in place of the pipeline file, too.
package struct JSONPlanReport {
  /// The document.
  package let text: String

  package init(_ plan: Plan) {
    // What the pipeline says of its target and steps is said again, with what the models know.
    let kept = plan.pipeline.members(places: true).filter {
      !["target", "steps"].contains($0.name)
    }
    let scripts = plan.digests.ofScripts.map { script -> JSONValue in
      ["name": .string(script.name), "digest": .string(script.digest)]
    }
    let members: [JSONValue.Member] = [
      .init("source", .text(plan.source?.name)), .init("target", .string(plan.targetName)),
      .init("steps", .array(plan.steps.map { Self.step($0, plan) })),
      .init("entities", .array(plan.steps.flatMap(Self.entities))),
      .init("links", .array(plan.steps.flatMap(Self.links))),
      .init("uris", Self.uris(plan.uris)),
      .init("space", plan.space.map(Self.space) ?? .null),
      .init("problems", .array(plan.problems.map(\.json))),
      .init("warnings", .texts(plan.warnings)),
      .init("current", .bool(plan.isCurrent)),
      .init("digest", .string(plan.digest)),
    ]
    let known = scripts.isEmpty ? [] : [JSONValue.Member("scripts", .array(scripts))]
    text = JSONValue.object(kept + members + known).text(.pretty)
  }

  private static func step(_ step: PlannedStep, _ plan: Plan) -> JSONValue {
    let line = plan.pipeline.steps.first { $0.version == step.to.name }?.line ?? 0
    return [
      "from": .string(step.from.name), "to": .string(step.to.name), "line": .count(line),
      "stages": .texts(step.stages.map(\.name)),
      "start": ["how": .text(step.start.how?.rawValue), "why": .string(step.start.why)],
    ]
  }

  private static func entities(_ step: PlannedStep) -> [JSONValue] {
    step.entities.map { entity in
      [
        "step": .string(step.to.name), "from": .string(step.from.name),
        "source": .text(entity.source), "target": .text(entity.target),
        "how": .string(entity.how.rawValue), "way": .text(entity.way?.rawValue),
        "rows": entity.rows.map(JSONValue.integer) ?? .null,
        "bytes": entity.bytes.map(JSONValue.integer) ?? .null,
        "attributes": .array(
          entity.attributes.map {
            [
              "name": .string($0.name), "from": .text($0.from), "rule": .string($0.rule),
              "detail": .text($0.detail),
            ]
          }),
        "lost": .array(
          entity.lost.map {
            [
              "name": .string($0.name), "values": $0.values.map(JSONValue.integer) ?? .null,
              "declared": .bool($0.isDeclared),
            ]
          }),
      ]
    }
  }

  private static func links(_ step: PlannedStep) -> [JSONValue] {
    step.mapping.links.map { link in
      [
        "step": .string(step.to.name),
        "relationship": .text(link.relationship?.description),
        "source": .text(link.forward.source?.description),
        "move": .string(link.move.rawValue),
        "rule": .string(link.rule.rawValue),
        "mayDiscard": .bool(link.mayDiscard),
      ]
    }
  }

  private static func uris(_ uris: PlannedURIs) -> JSONValue {
    [
      "breaks": .bool(uris.breaks), "why": .texts(uris.reasons),
      "mentions": .array(
        uris.mentions.map { ["place": .string($0.place), "count": .integer($0.count)] }),
    ]
  }

  private static func space(_ space: PlannedSpace) -> JSONValue {
    [
      "needed": .integer(space.needed), "free": space.free.map(JSONValue.integer) ?? .null,
    ]
  }
}

/// What `check` found, as the JSON that programs rely on.
package struct JSONPlanProblems {
  /// The document.
  package let text: String

  /// The document of some problems, and of what is most likely one.
  package init(_ problems: [Problem], warnings: [Problem] = []) {
    let document: JSONValue = [
      "format": 1, "problems": .array(problems.map(\.json)),
      "warnings": .array(warnings.map(\.json)),
    ]
    text = document.text(.pretty)
  }
}

extension Problem {
  /// The documented JSON of a problem; the line is null where none is to blame.
  fileprivate var json: JSONValue {
    [
      "file": .string(file), "line": line > 0 ? .count(line) : .null, "message": .string(message),
    ]
  }
}

extension Plan {
  /// The name by which the models are asked for the target.
  fileprivate var targetName: String {
    pipeline.target ?? pipeline.steps.last?.version ?? target.name
  }
}
