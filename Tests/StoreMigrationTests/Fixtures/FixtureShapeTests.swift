import Testing

@testable import StoreMigration

@Suite("The shapes of texts") struct FixtureShapeTests {
  private typealias Shape = StoreFixture.Scrubber.Shape

  private func filled(_ text: String, isAddress: Bool = false, seed: UInt64 = 7) -> String {
    var random = SampleRandom(seed)
    return Shape.filled(text, isAddress: isAddress, &random)
  }

  @Test("letters become letters and digits digits; signs and spaces stay")
  func plain() {
    let made = filled("Émile Zola, Rue 21a\n(007) 日本 🍎 ½")
    #expect(
      made.wholeMatch(
        of: /[À-Ö][a-z]{4} [A-Z][a-z]{3}, [A-Z][a-z]{2} [1-9]\d[a-z]\n\(0\d\d\) .. . ./)
        != nil, "\(made)")
    #expect(!made.contains("日") && !made.contains("🍎"))
  }

  @Test("marks that are vowels or accents do not stay, nor do skin tones and the flags of regions")
  func marks() {
    let texts = [
      "किताबें", "กี้", "كِتَابٌ", "e\u{301}te\u{301}",
      "👍🏿👍🏿👍🏿", "🏴\u{E0067}\u{E0062}\u{E0073}",
    ]
    for text in texts {
      let (old, new) = (Array(text.unicodeScalars), Array(filled(text).unicodeScalars))
      #expect(new.count == old.count)
      let kept = zip(old, new).filter { $0 == $1 }
      #expect(kept.count <= 1, "\(text): \(kept)")
    }
    #expect(filled("❤️").unicodeScalars.last == "\u{FE0F}")
  }

  @Test("a text without letters and digits does not stay") func signs() {
    #expect(filled("-- ! --").wholeMatch(of: /[a-z]{2} [a-z] [a-z]{2}/) != nil)
  }

  @Test("addresses lead nowhere, and keep their form") func addresses() {
    let web = filled("https://user@www.Example.com:8080/a%20b/C?q=12#top")
    #expect(
      web.wholeMatch(
        of: /https:\/\/[a-z]+\.[A-Z][a-z]+\.invalid\/[a-z]%20[a-z]\/[A-Z]\?[a-z]=\d\d#[a-z]{3}/)
        != nil, "\(web)")
    #expect(filled("file:///data/emma/a.txt").hasPrefix("file:///"))
    #expect(
      filled("emma.b@rouen.example.fr").wholeMatch(
        of: /[a-z]{4}\.[a-z]@[a-z]{5}\.[a-z]{7}\.invalid/)
        != nil)
    #expect(
      filled("urn:isbn:0451450523", isAddress: true).wholeMatch(of: /urn:[a-z]{4}:0\d{9}/) != nil)
    #expect(filled("a/b c", isAddress: true).wholeMatch(of: /[a-z]\/[a-z] [a-z]/) != nil)
  }

  @Test("what reads as a date stays one") func moments() {
    for seed in 0..<200 {
      let made = filled("1957-10-04T19:28:34.12Z", seed: UInt64(seed))
      #expect(
        made.wholeMatch(
          of: /20[0-2]\d-(0[1-9]|1[0-2])-([01]\d|2[0-8])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d\dZ/)
          != nil, "\(made)")
    }
    #expect(filled("1957-10-04").wholeMatch(of: /20[0-2]\d-[01]\d-[0-2]\d/) != nil)
    #expect(filled("1957-10-04 at noon").hasSuffix(" at noon") == false)
  }

  @Test("the same seed fills the same shape in the same way, whatever the letters are")
  func blindness() {
    #expect(filled("Anna 12") == filled("Emma 99"))
    #expect(filled("Anna 12") != filled("Anna 12", seed: 8))
  }
}
