internal import CoreDataStore
internal import Formats

/// A model as JSON: its versions, then entity by entity.
package struct JSONModelReport {
  /// The document.
  package let text: String

  package init(_ report: ModelReport) {
    let document: JSONValue = [
      "format": 1,
      "model": [
        "name": .string(report.model.name),
        "path": .string(report.origin.path),
        "kind": .string(report.origin.kind),
        "versions": .texts(report.origin.versions),
        "current": .text(report.origin.current),
        "identifiers": .texts(report.model.versionIdentifiers),
        "configurations": .object(Self.configurations(report.model)),
        "digest": .text(report.hashes.digest),
        "checksum": .text(report.hashes.checksum),
        "uncertain": .texts(report.hashes.doubts.map(\.entity)),
      ],
      "entities": .array(
        report.entities.map { entity in
          Self.entity(entity, report.numbers[entity.name], hash: report.hash(of: entity))
        }),
    ]
    text = document.text(.pretty)
  }

  private static func configurations(_ model: Model) -> [JSONValue.Member] {
    model.configurations.sorted { $0.key < $1.key }.map { .init($0.key, .texts($0.value)) }
  }

  private static func entity(_ entity: Entity, _ number: Int?, hash: String?) -> JSONValue {
    [
      "name": .string(entity.name),
      "number": .count(number),
      "super": .text(entity.parent),
      "abstract": .bool(entity.isAbstract),
      "class": .text(entity.className),
      "renamedFrom": .text(entity.renamingIdentifier),
      "hash": .text(hash),
      "attributes": .array(entity.attributes.map(attribute)),
      "relationships": .array(entity.relationships.map(relationship)),
      "fetchedProperties": .texts(entity.fetchedProperties.map(\.name)),
      "unique": .array(entity.uniquenessConstraints.map(JSONValue.texts)),
      "indexes": .texts(entity.fetchIndexes.map(\.name)),
    ]
  }

  private static func attribute(_ attribute: Attribute) -> JSONValue {
    [
      "name": .string(attribute.name),
      "type": .string(attribute.type.name),
      "optional": .bool(attribute.isOptional),
      "transient": .bool(attribute.isTransient),
      "default": .text(attribute.defaultValue.map { $0.text ?? $0.predicateText }),
      "externalStorage": .bool(attribute.usesExternalStorage),
      "derivation": .text(attribute.derivation.map { "\($0.expression)" }),
      "rules": .texts(attribute.validation.map(\.description)),
      "renamedFrom": .text(attribute.renamingIdentifier),
    ]
  }

  private static func relationship(_ relationship: Relationship) -> JSONValue {
    [
      "name": .string(relationship.name),
      "destination": .string(relationship.destination),
      "toMany": .bool(relationship.isToMany),
      "ordered": .bool(relationship.isOrdered),
      "optional": .bool(relationship.isOptional),
      "inverse": .text(relationship.inverseName),
      "minCount": .count(relationship.minCount),
      "maxCount": .count(relationship.maxCount),
      "deleteRule": .string(relationship.deleteRule.name),
      "renamedFrom": .text(relationship.renamingIdentifier),
    ]
  }
}
