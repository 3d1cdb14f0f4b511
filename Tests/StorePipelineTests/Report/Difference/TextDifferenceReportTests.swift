import CoreDataStore
import StorePipeline
import Testing

@Suite("Report of two stores as text")
struct TextDifferenceReportTests {
  @Test("groups come with their first objects") func text() throws {
    let text = try TextDifferenceReport(
      DifferenceSample.everything(), limit: 6, width: 90, style: Style(isOn: false)
    ).text
    for line in [
      "Old.sqlite -> New.sqlite", "  ~  Note, 412 objects: title trimmed",
      "      1  title  \"\u{A0}\u{A0}Title 1\u{A0}\" → \"Title 1\"", "      and 409 more",
      "  Note.folder    1 link gained, 1 link lost", "What was lost",
    ] {
      #expect(text.split(separator: "\n").contains { $0 == line }, "\(line) is not in\n\(text)")
    }
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 90 })
  }

  @Test("values cannot drive the terminal", arguments: DifferenceSample.hostile)
  func escaped(value: String) throws {
    let report = try DifferenceSample.report([DifferenceSample.text(1, value, "b")])
    let text = try TextDifferenceReport(report, limit: 6, width: 90, style: Style(isOn: false)).text
    #expect(!text.unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
  }
}
