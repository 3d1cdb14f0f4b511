import CoreDataStore
import StoreMigration
import StorePipeline
import Testing

@Suite("Report of two stores as Markdown")
struct MarkdownDifferenceReportTests {
  @Test("the summary stands first, details are folded") func text() throws {
    let text = try MarkdownDifferenceReport(DifferenceSample.everything()).text
    #expect(text.contains("**Of 3,444 objects, 3,000 are the same"))
    #expect(text.contains("| Note | 1,000 | 443 | 0 | 0 | 2 |"))
    #expect(
      text.contains("<details><summary>&#126; Note, 412 objects&#58; title trimmed</summary>"))
    let title = "\u{A0}\u{A0}Title 1\u{A0}"
    #expect(
      text.contains(
        "| Note 1 | <code>title&#58; &#34;\(title)&#34; → &#34;Title 1&#34;</code> |"))
  }

  @Test("it fits into a comment, and says what did not") func small() throws {
    let long = String(repeating: "<&|`>", count: 2_000)
    let objects = (1...3_000).map { number in
      DifferenceSample.changed(
        Int64(number), "attribute\(number % 300)", .value(.string("\(long)\(number)")),
        .value(.string("\(number)\(long)")))
    }
    let text = try MarkdownDifferenceReport(DifferenceSample.report(objects, display: .full)).text
    #expect(text.utf8.count < 60_000)
    #expect(text.contains("more did not fit into this comment"))
  }

  @Test("values format nothing and call nobody", arguments: DifferenceSample.hostile)
  func escaped(value: String) throws {
    let report = try DifferenceSample.report([DifferenceSample.text(1, value, "b")])
    let text = try MarkdownDifferenceReport(report).text
    for markup in ["<script", "<img", "<b>", "<!--", "`", "*d*", "](", "@somebody", " #12"] {
      #expect(!text.contains(markup), "\(markup) is in \(text)")
    }
  }
}
