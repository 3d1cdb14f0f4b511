import Testing

@testable import pipeline

@Suite("Topic")
struct TopicTests {
  @Test(
    "words lead to a topic", arguments: [[], ["every"], ["pair"], ["pair", "hash"]])
  func found(words: [String]) throws {
    let topic = try Program.probes.topic(words)
    #expect(topic.words == (["probe"] + words).joined(separator: " "))
  }

  @Test("words that lead nowhere are mistakes") func lost() {
    #expect(throws: Misuse(words: "probe every", error: UsageError("unexpected argument 'x'"))) {
      try Program.probes.topic(["every", "x"])
    }
    #expect(throws: Misuse(words: "probe pair", error: UsageError("unknown command x"))) {
      try Program.probes.topic(["pair", "x"])
    }
  }
}
