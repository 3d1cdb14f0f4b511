internal import Formats

/// The version hashes of a model as the JSON that programs rely on.
package struct JSONModelHashReport {
  /// The document.
  package let text: String

  package init(_ report: ModelHashReport) {
    let known = report.entities.compactMap { name, hash in
      hash.map { JSONValue.Member(name, .string($0)) }
    }
    let reasons = report.doubts.map { JSONValue.Member($0.entity, .string($0.why)) }
    let document: JSONValue = [
      "format": 1,
      "version": .string(report.version),
      "entities": .object(known),
      "digest": .text(report.digest),
      "checksum": .text(report.checksum),
      "uncertain": .array(report.doubts.map { .string($0.entity) }),
      "reasons": .object(reasons),
    ]
    text = document.text(.pretty)
  }
}
