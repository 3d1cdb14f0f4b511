import Testing

@testable import StorePipeline

@Suite("Script of the page of differences")
struct DifferenceScriptTests {
  @Test("what it looks for is on the page")
  func elements() throws {
    let page = try HTMLDifferenceReport(DifferenceSample.everything()).text
    let names = DifferenceScript.javascript.matches(of: /getElementById\("([a-z-]+)"\)/)
      .map { String($0.1) }
    #expect(names.count >= 5)
    for name in names { #expect(page.contains("id=\"\(name)\"")) }
  }

  @Test(
    "no value can become markup or code by it",
    arguments: ["innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "Function(", "</"])
  func texts(word: String) {
    #expect(!DifferenceScript.javascript.contains(word))
  }
}
