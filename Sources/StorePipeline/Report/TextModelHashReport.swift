/// The version hashes of a model as text, an entity a line.
package struct TextModelHashReport {
  /// The lines.
  package let text: String

  package init(_ report: ModelHashReport) {
    var table = TextTable()
    for (name, hash) in report.entities { table.add(name, hash ?? "unknown") }
    var digests = TextTable()
    digests.add("digest", report.digest ?? "unknown")
    digests.add("checksum", report.checksum ?? "unknown")
    // A hash is one word: no width makes it shorter.
    text = (table.lines(width: .max) + [""] + digests.lines(width: .max)).joined(separator: "\n")
  }
}
