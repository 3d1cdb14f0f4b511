import Formats
import Testing

@testable import StorePipeline

@Suite("Property list as JSON")
struct JSONPropertyListTests {
  @Test(
    "values stand in JSON as the contract has them",
    arguments: [
      (.null, .null), (.bool(true), true), (.integer(7), 7), (.string("a"), "a"),
      (.unsigned(.max), "18446744073709551615"), (.array([.integer(1)]), [1]),
      (.dictionary(["b": .null, "a": .real(0.5)]), ["a": 0.5, "b": nil]),
      (.date(0.5), ["date": "2001-01-01T00:00:00.500Z", "seconds": 0.5]),
      (
        .data([]),
        [
          "bytes": 0,
          "sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        ]
      ),
    ] as [(PropertyList, JSONValue)])
  func json(list: PropertyList, json: JSONValue) { #expect(list.json == json) }

  @Test(
    "a kind says nothing of the value but its size",
    arguments: [
      (.string("äb"), "string, 3 B"), (.data([1]), "data, 1 B"), (.integer(9), "number"),
      (.array([.null]), "array, 1 entry"), (.dictionary([:]), "dictionary, 0 entries"),
      (.date(1), "date"),
    ] as [(PropertyList, String)])
  func kind(list: PropertyList, words: String) { #expect(list.kindWords == words) }
}
