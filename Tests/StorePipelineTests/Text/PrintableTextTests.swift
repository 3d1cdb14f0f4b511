import StorePipeline
import Testing

@Suite("Printable text")
struct PrintableTextTests {
  @Test("control characters are spelled out") func control() {
    #expect(
      "a\u{1B}[31m\u{7}b\u{9B}\n\té\u{202E}".printable
        == "a\\u{1B}[31m\\u{07}b\\u{009B}\n\té\u{202E}")
    #expect("a\nb\tc".oneLine == "a\\nb\\tc")
  }

  @Test("a word is quoted where it would not be seen to be one") func word() {
    #expect("a".word == "a")
    #expect("".word == "''")
    #expect("a b".word == "'a b'")
  }
}
