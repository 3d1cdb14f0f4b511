import CoreDataStore
import Testing

@Suite("Predicates as text")
struct PredicateTextTests {
  private static let one = ModelPredicate.comparison(
    ModelComparison(.keyPath("a"), .equal, .constant(.integer(1))))
  private static let strange = ModelPredicate.unknown("?", why: "it is odd")

  @Test(
    "parentheses stand where they are needed, and nowhere else",
    arguments: [
      (.and([one, one]), "a == 1 AND a == 1"), (.and([one]), "a == 1"), (.and([]), "TRUEPREDICATE"),
      (.or([]), "FALSEPREDICATE"), (.not(one), "NOT a == 1"),
      (.not(.or([one, one])), "NOT (a == 1 OR a == 1)"),
      (.or([.and([one, one]), one]), "(a == 1 AND a == 1) OR a == 1"),
      (.and([strange, one]), "(?) AND a == 1"),
    ] as [(ModelPredicate, String)])
  func written(predicate: ModelPredicate, text: String) {
    #expect(predicate.description == text)
  }

  @Test("a comparison has its quantifier and its options") func comparison() {
    let comparison = ModelComparison(
      .keyPath("a.b"), .like, .constant(.string("x*")), quantifier: .any, options: "cd")
    #expect(comparison.description == "ANY a.b LIKE[cd] \"x*\"")
  }

  @Test("the part that could not be read is found, however deep") func unreadable() {
    #expect(ModelPredicate.not(.and([Self.one, Self.strange])).unreadable == "?: it is odd")
    #expect(ModelPredicate.or([Self.one]).unreadable == nil)
  }
}
