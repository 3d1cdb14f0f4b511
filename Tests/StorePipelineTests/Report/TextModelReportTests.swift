import StorePipeline
import Testing

@Suite("Model report as text")
struct TextModelReportTests {
  @Test("an entity is listed with its number, parent, properties and constraints") func entity()
    throws
  {
    let report = try ModelReportTests.family()
    let text = TextModelReport(report, width: 80, style: Style(isOn: false)).text
    #expect(text.contains("configuration  Cloud: Zebra\n"))
    #expect(text.contains("\n\n1  item  abstract\n   name    String\n   unique  name\n   hash    "))
    #expect(text.contains("\n\n3  Book  inherits from item\n   hash  "))
    #expect(!text.contains("versions"))
  }

  @Test("no line is wider than the terminal, hashes apart", arguments: [40, 80])
  func width(width: Int) throws {
    let text = TextModelReport(
      try ModelReportTests.family(), width: width, style: Style(isOn: false))
    let wide = text.text.split(separator: "\n").filter { $0.count > width && !$0.hasSuffix("=") }
    #expect(wide.isEmpty)
  }
}
