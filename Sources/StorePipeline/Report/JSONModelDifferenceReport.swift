internal import CoreDataStore
internal import Formats

/// The difference of two models as the JSON that programs rely on.
package struct JSONModelDifferenceReport {
  /// The document.
  package let text: String

  /// The document, with what rules have found where they were asked.
  package init(_ report: ModelDifferenceReport, lint: ModelLint? = nil) {
    let document: JSONValue = [
      "format": 1,
      "source": .string(report.source.name),
      "target": .string(report.target.name),
      "entities": .array(report.difference.entities.map(Self.entity)),
      "hashChanges": .bool(report.difference.hashChanges),
      "inferable": .bool(report.difference.isInferable),
      "cloudKit": Self.cloudKit(report),
      "lint": lint?.json ?? .null,
    ]
    text = document.text(.pretty)
  }

  private static func cloudKit(_ report: ModelDifferenceReport) -> JSONValue {
    guard let rules = report.cloudKitRules, let production = report.cloudKitProduction else {
      return .null
    }
    func list(_ remarks: [ModelDifferenceReport.Remark]) -> JSONValue {
      .array(remarks.map { ["subject": .string($0.subject), "why": .string($0.words)] })
    }
    return ["rules": list(rules), "production": list(production)]
  }

  private static func entity(_ entity: EntityDifference) -> JSONValue {
    [
      "name": .string(entity.name),
      "change": .string(entity.change.rawValue),
      "from": .text(entity.from),
      "hashChanges": .bool(entity.changesHash),
      "inferable": .bool(entity.isInferable),
      "why": .text(entity.why),
      "properties": .array(entity.properties.map(property)),
    ]
  }

  private static func property(_ property: PropertyDifference) -> JSONValue {
    [
      "name": .string(property.name),
      "kind": .string(property.kind.rawValue),
      "change": .string(property.change.rawValue),
      "from": .text(property.from),
      "hashChanges": .bool(property.changesHash),
      "inferable": .bool(property.isInferable),
      "condition": .text(property.condition),
      "why": .text(property.why),
    ]
  }
}
