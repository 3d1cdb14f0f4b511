import StorePipeline
import Testing

@Suite("Style")
struct StyleTests {
  @Test("each way has a code of its own, which ends with the text") func on() {
    let style = Style(isOn: true)
    let ways = [style.bold, style.green, style.faint, style.red, style.yellow].map { $0("x") }
    #expect(Set(ways).count == ways.count)
    #expect(ways.allSatisfy { $0.hasPrefix("\u{1B}[") && $0.hasSuffix("mx\u{1B}[0m") })
  }

  @Test("switched off it adds nothing") func off() {
    let style = Style(isOn: false)
    let ways = [style.bold, style.green, style.faint, style.red, style.yellow].map { $0("x") }
    #expect(ways == Array(repeating: "x", count: 5))
  }
}
