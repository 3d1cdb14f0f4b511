import Testing

@testable import CoreDataStore

@Suite("Aspect")
struct AspectTests {
  @Test("what is equal is no aspect") func equal() {
    #expect(Aspect("type", 1, 1, words: String.init) == nil)
    #expect(Aspect("indexed", true, true) == nil)
    #expect(Aspect("class", nil, nil) == nil)
  }

  @Test(
    "what differs is reported in words, before and now",
    arguments: [
      (Aspect("fewest", 1, 2, words: String.init), "fewest: 1, now 2"),
      (Aspect("indexed", true, false), "indexed: yes, now no"),
      (Aspect("leads to", false, true, yes: "many", no: "one"), "leads to: one, now many"),
      (Aspect("class", nil, "A"), "class: none, now \"A\""),
    ])
  func words(aspect: Aspect?, words: String) { #expect(aspect?.description == words) }
}
