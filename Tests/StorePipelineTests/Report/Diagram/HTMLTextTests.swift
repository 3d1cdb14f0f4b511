import Testing

@testable import StorePipeline

@Suite("Text in HTML")
struct HTMLTextTests {
  @Test(
    "what means something to HTML is written so that it does not",
    arguments: [
      ("a&b", "a&amp;b"), ("<b>", "&lt;b&gt;"), ("\"x\" 'y'", "&quot;x&quot; &#39;y&#39;"),
      ("&lt;", "&amp;lt;"), ("Größe", "Größe"), ("", ""),
      ("\"\u{301} onclick=x", "&quot;\u{301} onclick=x"), ("<\u{338}", "&lt;\u{338}"),
    ])
  func escaped(text: String, html: String) { #expect(text.html == html) }

  @Test("what cannot be seen is written out") func printable() {
    #expect(!"a\u{1B}[2Jb".html.contains("\u{1B}"))
  }
}
