import Testing

@testable import StorePipeline

@Suite("Bars of characters")
struct TextBarTests {
  static let bars: [(counts: [Int], text: String)] = [
    ([0, 0, 0], ""), ([5, 0, 0], "=========="), ([1, 1, 0], "=====~~~~~"),
    ([1_000_000, 1, 0], "=========~"), ([1, 1_000_000, 1], "=~~~~~~~~+"),
    ([1, 1, 1], "====~~~+++"),
  ]

  @Test("each part has its share, and what is there is seen", arguments: bars)
  func share(counts: [Int], text: String) {
    let bar = TextBar(Array(zip("=~+", counts)), width: 10)
    #expect(bar.text.count == (text.isEmpty ? 0 : 10))
    #expect(Set(bar.text) == Set(text))
    if counts.reduce(0, +) != 3 { #expect(bar.text == text) }
  }
}
