import CoreDataStore
import Testing

@Suite("Cutting predicate text")
struct PredicateLexerTests {
  @Test(
    "text is cut into words",
    arguments: [
      ("", []), ("a.b==-1.5", [.word("a.b"), .sign("=="), .sign("-"), .number("1.5")]),
      ("count:(x)", [.word("count:"), .sign("("), .word("x"), .sign(")")]),
      ("$v #in.x", [.variable("v"), .path("in.x")]), (".5 2E-3", [.number(".5"), .number("2e-3")]),
      (#"'a\'b' "c\n""#, [.string("a'b"), .string("c\n")]),
      ("a<>b", [.word("a"), .sign("<>"), .word("b")]),
      ("größe @max", [.word("größe"), .word("@max")]),
    ] as [(String, [PredicateToken])])
  func tokens(text: String, tokens: [PredicateToken]) throws {
    #expect(try PredicateLexer.tokens(of: text) == tokens)
  }

  @Test(
    "what is no predicate text is named",
    arguments: [
      ("'a", "a quoted text does not end"), ("a..b", "the key path \"a..b\" has an empty part"),
      ("a.", "the key path \"a.\" has an empty part"), ("# x", "no name follows \"#\""),
      ("a ~ b", "\"~\" is not understood"),
    ])
  func refused(text: String, why: String) {
    let failure = #expect(throws: PredicateLexer.Unreadable.self) {
      try PredicateLexer.tokens(of: text)
    }
    #expect(failure?.why == why)
  }
}
