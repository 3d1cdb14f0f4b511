import CoreDataStore
import Testing

@Suite("Words of predicate text")
struct PredicateTokenTests {
  @Test(
    "a path that begins like a word of the language needs a number sign",
    arguments: [
      ("in", true), ("ANY.size", true), ("Self", true), ("size.any", false), ("index", false),
      ("", false),
    ])
  func reserved(path: String, isReserved: Bool) {
    #expect(PredicateToken.isReserved(path) == isReserved)
  }
}
