import CoreDataStore
import StorePipeline
import Testing

@Suite("Model difference report as text")
struct TextModelDifferenceReportTests {
  @Test("what cannot be inferred is marked and explained") func obstacle() throws {
    let report = try ModelDifferenceReportTests.pair { $0.type = .date }
    let text = TextModelDifferenceReport(report, width: 80, style: Style(isOn: false)).text
    #expect(
      text == """
        M -> M
        Version hashes change, so a migration is due. Core Data cannot infer all of it.

         ~  E  changed
          !~  a  type: String, now Date

        What Core Data cannot infer
          E.a  Core Data cannot turn String into Date (134190: Source and destination
               attribute types are incompatible)
        """)
  }

  @Test("colour adds nothing but colour") func colour() throws {
    let report = try ModelDifferenceReportTests.notes()
    let plain = TextModelDifferenceReport(report, width: 80, style: Style(isOn: false)).text
    let colored = TextModelDifferenceReport(report, width: 80, style: Style(isOn: true)).text
    #expect(colored.contains("\u{1B}["))
    #expect(colored.replacing(/\u{1B}\[\d+m/, with: "") == plain)
  }

  @Test("no line is wider than the terminal", arguments: [40, 80, 100])
  func width(width: Int) throws {
    let report = try ModelDifferenceReportTests.notes()
    let text = TextModelDifferenceReport(report, width: width, style: Style(isOn: false)).text
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= width })
  }
}
