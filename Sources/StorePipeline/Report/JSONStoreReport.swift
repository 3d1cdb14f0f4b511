internal import CoreDataStore
internal import Formats

/// A store as the JSON that programs rely on.
package struct JSONStoreReport {
  /// The document.
  package let text: String

  package init(_ report: StoreReport) {
    let facts = report.facts
    let document: JSONValue = [
      "format": 1,
      "store": Self.store(report),
      "model": Self.model(report),
      "against": report.comparison.map(Self.comparison) ?? .null,
      "entities": .array(facts.entities.map(Self.entity)),
      "joins": .array(facts.joins.map(Self.table)),
      "blobs": facts.externalFiles.map(Self.blobs) ?? .null,
      "history": facts.history.map {
        ["transactions": .integer($0.transactions), "changes": .integer($0.changes)]
      } ?? .null,
      "cloudKit": .array(facts.cloudKit.map(Self.table)),
      "mirror": facts.mirror.map(Self.mirror) ?? .null,
      "triggers": .array(
        facts.triggers.map {
          [
            "name": .string($0.name), "table": .string($0.table),
            "purpose": .string($0.purpose.rawValue),
          ]
        }),
      "foreign": .array(
        facts.foreign.map {
          ["kind": .string($0.kind), "name": .string($0.name), "table": .string($0.table)]
        }),
      "metadata": .object(report.metadata.map { .init($0.key, $0.json) }),
      "log": .array(facts.metadata.log.map(\.json)),
      "integrity": .string(facts.integrity),
      "warnings": .array(
        facts.warnings.map { ["subject": .string($0.subject), "text": .string($0.text)] }),
    ]
    text = document.text(.pretty)
  }

  private static func mirror(_ facts: MirrorFacts) -> JSONValue {
    [
      "records": .integer(facts.records), "zones": .integer(facts.zones),
      "pendingExports": .integer(facts.pendingExports),
      "pendingDeletes": .integer(facts.pendingDeletes),
      "withoutObject": .integer(facts.withoutObject),
      "withoutEntity": .integer(facts.withoutEntity),
      "beyondHistory": .integer(facts.beyondHistory),
    ]
  }

  private static func store(_ report: StoreReport) -> JSONValue {
    let facts = report.facts
    return [
      "path": .string(report.path),
      "bytes": .integer(facts.files.bytes),
      "pageSize": .count(facts.pageSize),
      "journal": .string(facts.journalMode),
      "walBytes": facts.files.walBytes.map(JSONValue.integer) ?? .null,
      "uuid": .string(facts.metadata.uuid),
      "framework": facts.metadata.framework.map(JSONValue.integer) ?? .null,
      "identifiers": .texts(facts.metadata.identifiers),
    ]
  }

  private static func model(_ report: StoreReport) -> JSONValue {
    let recognition = report.facts.recognition
    return [
      "name": .text(report.version),
      "known": .string(recognition.known.rawValue),
      "files": .texts(recognition.files),
      "nearest": .text(recognition.nearest?.name),
      "newer": .bool(recognition.isNewer),
      "differences": .array(recognition.misfits.map(misfit)),
    ]
  }

  private static func comparison(_ comparison: StoreReport.Comparison) -> JSONValue {
    [
      "model": .string(comparison.model),
      "fits": .bool(comparison.fits),
      "differences": .array(comparison.misfits.map(misfit)),
    ]
  }

  private static func misfit(_ misfit: ModelMisfit) -> JSONValue {
    [
      "entity": .string(misfit.entity),
      "property": .text(misfit.property),
      "aspect": .text(misfit.aspect),
      "model": .text(misfit.inModel),
      "store": .text(misfit.inStore),
      "text": .string(misfit.description),
    ]
  }

  private static func entity(_ entity: EntityFacts) -> JSONValue {
    [
      "name": .string(entity.name),
      "number": .integer(entity.number),
      "super": .text(entity.parent),
      "rows": .integer(entity.rows),
      "bytes": .integer(entity.bytes),
      "hash": .text(entity.hash?.base64),
    ]
  }

  private static func table(_ table: TableFacts) -> JSONValue {
    ["table": .string(table.table), "rows": .integer(table.rows)]
  }

  private static func blobs(_ files: ExternalFiles) -> JSONValue {
    [
      "present": .count(files.present),
      "missing": .count(files.missing),
      "orphaned": .count(files.orphaned),
      "bytes": .integer(files.bytes),
      "missingNames": .texts(files.missingNames),
      "orphanedNames": .texts(files.orphanedNames),
    ]
  }
}
