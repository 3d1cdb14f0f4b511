import Formats
import StorePipeline
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

  @Test("each form is what it says")
  func texts() throws {
    let report = try DifferenceSample.everything()
    #expect(DifferenceForm.html.text(of: report).hasPrefix("<!DOCTYPE html>"))
    #expect(DifferenceForm.markdown.text(of: report).hasPrefix("#"))
    let json = DifferenceForm.json.text(of: report)
    #expect(json.hasSuffix("\n"))
    #expect(try JSONValue(reading: Array(json.utf8))["format"]?.integer == 1)
  }
}
