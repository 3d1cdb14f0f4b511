import StorePipeline
import Testing

@Suite("Printable text")
struct PrintableTextTests {
  @Test("what cannot be seen is spelled out") func control() {
    #expect(
      "a\u{1B}[31m\u{7}b\u{9B}\n\té\u{202E}\u{2028}\u{E0041}".printable
        == "a\\u{1B}[31m\\u{07}b\\u{009B}\n\té\\u{202E}\\u{2028}\\u{000E0041}")
    #expect("a\nb\tc".oneLine == "a\\nb\\tc")
  }

  @Test("a stream shows the codes of a style, and no others") func shown() {
    let style = Style(isOn: true)
    #expect(
      "\(style.red("a")) \(style.bold("b"))\n".shown == "\(style.red("a")) \(style.bold("b"))\n")
    #expect(
      "\u{1B}[2J\u{1B}[31m\u{1B}\u{202E}\r\n\t".shown
        == "\\u{1B}[2J\u{1B}[31m\\u{1B}\\u{202E}\\r\n\t")
  }

  @Test("a word is quoted where it would not be seen to be one") func word() {
    #expect("a".word == "a")
    #expect("".word == "''")
    #expect("a b".word == "'a b'")
  }
}
