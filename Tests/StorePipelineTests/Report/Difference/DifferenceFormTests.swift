import Formats
import Foundation
import StorePipeline
import TestSupport
import Testing

@Suite("Forms of a report")
struct DifferenceFormTests {
  @Test(
    "the end of a file's name tells",
    arguments: [
      ("a.html", DifferenceForm.html), ("A.HTM", .html), ("a.md", .markdown),
      ("a.markdown", .markdown), ("a.b.json", .json),
    ])
  func endings(path: String, form: DifferenceForm) {
    #expect(DifferenceForm(path: path) == form)
  }

  @Test("no other end does", arguments: ["html", "a.txt", "a.", "a.html.gz", ""])
  func others(path: String) {
    #expect(DifferenceForm(path: path) == nil)
  }

  static func text(_ form: DifferenceForm, _ report: DifferenceReport) throws -> String {
    var bytes: [UInt8] = []
    try form.write(report) { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("a file has the same bytes as are handed over, however many there are", .temporaryFolder)
  func file() throws {
    let objects = (1...3000).map {
      DifferenceSample.text($0, "a\($0)", String(repeating: "b", count: 200))
    }
    let report = try DifferenceSample.report(objects)
    for form in DifferenceForm.allCases {
      let file = TemporaryFolder.url.appending(path: "report.\(form.rawValue)")
      try Data().write(to: file)
      try form.write(report, into: file.path)
      #expect(try String(contentsOf: file, encoding: .utf8) == Self.text(form, report))
    }
  }

  @Test("each form is what it says")
  func texts() throws {
    let report = try DifferenceSample.everything()
    #expect(try Self.text(.html, report).hasPrefix("<!DOCTYPE html>"))
    #expect(try Self.text(.markdown, report).hasPrefix("#"))
    let json = try Self.text(.json, report)
    #expect(json.hasSuffix("\n"))
    #expect(try JSONValue(reading: Array(json.utf8))["format"]?.integer == 1)
  }
}
