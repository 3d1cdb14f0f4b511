import Testing

@testable import Benchmarks

@Suite("A drawing") struct SVGTests {
  @Test("words are escaped and numbers rounded; what is no number does no harm")
  func shapes() {
    var svg = SVG(width: 10)
    svg.text("a < b & c", 1.26, .nan)
    svg.dot(2, 3.04, color: "red")
    let text = svg.document(height: 5)
    #expect(text.contains("x=\"1.3\" y=\"0\""))
    #expect(text.contains(">a &lt; b &amp; c</text>"))
    #expect(text.contains("cx=\"2\" cy=\"3\""))
    #expect(text.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"10\" height=\"5\""))
  }
}
