import Testing

@testable import StorePipeline

@Suite("Style of the page of differences")
struct DifferenceStyleTests {
  @Test("every colour that it uses is one of the page's, in the light and in the dark")
  func colours() {
    let sheets = DiagramStyle.css + DifferenceStyle.css
    let defined = Set(sheets.matches(of: /--([a-z-]+):/).map { String($0.1) })
    let used = Set(DifferenceStyle.css.matches(of: /var\(--([a-z-]+)/).map { String($0.1) })
    #expect(!used.isEmpty)
    #expect(used.subtracting(defined) == [])
    // A colour of its own would not follow the reader's scheme.
    #expect(DifferenceStyle.css.firstMatch(of: /#[0-9a-fA-F]{3,6}\b/) == nil)
  }

  @Test("nothing is loaded from elsewhere", arguments: ["url(", "@import", "http"])
  func alone(word: String) {
    #expect(!DifferenceStyle.css.contains(word))
  }
}
