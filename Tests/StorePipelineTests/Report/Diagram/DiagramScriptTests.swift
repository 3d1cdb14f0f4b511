import Testing

@testable import StorePipeline

@Suite("Diagram script")
struct DiagramScriptTests {
  /// What the script asks the page for: classes, and fields of its form.
  private static let asked = Set(
    DiagramScript.javascript.matches(of: /["`]\.([a-z]+)/).map { "class \($0.1)" }
      + DiagramScript.javascript.matches(of: /elements\.([a-z]+)/).map { "field \($0.1)" })

  @Test("everything that the script asks for is on the page") func present() throws {
    let page = HTMLModelDifferenceReport(try ModelDifferenceReportTests.notes()).text
    let classes = page.matches(of: /class="([^"]*)"/).flatMap { $0.1.split(separator: " ") }
    let fields = page.matches(of: /name="([^"]*)"/).map { $0.1 }
    let there = Set(classes.map { "class \($0)" } + fields.map { "field \($0)" })
    #expect(
      Self.asked.isSuperset(of: ["class box", "class controls", "field quiet", "field show"]))
    #expect(Self.asked.subtracting(there) == [])
  }

  @Test(
    "the script asks nobody else for anything", arguments: ["fetch(", "http", "import", "eval"])
  func alone(word: String) { #expect(!DiagramScript.javascript.contains(word)) }
}
