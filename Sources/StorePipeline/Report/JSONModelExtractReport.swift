internal import Formats

/// An extracted model as JSON; the XML itself is in it when it went to no file.
package struct JSONModelExtractReport {
  /// The document.
  package let text: String

  package init(_ report: ModelExtractReport) {
    let document: JSONValue = [
      "format": 1,
      "version": .string(report.version),
      "path": .text(report.path),
      "checksum": .text(report.hashes.checksum),
      "losses": .texts(report.losses),
      "xml": .text(report.path == nil ? report.xml : nil),
    ]
    text = document.text(.pretty)
  }
}
