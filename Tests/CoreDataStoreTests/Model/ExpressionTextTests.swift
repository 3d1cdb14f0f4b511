import CoreDataStore
import Foundation
import Testing

@Suite("Expressions as text")
struct ExpressionTextTests {
  @Test(
    "an expression is written as Core Data writes it",
    arguments: [
      (.keyPath("a.b"), "a.b"), (.keyPath("in"), "#in"), (.itself, "SELF"), (.variable("x"), "$x"),
      (.path(of: .variable("source"), "name"), "$source.name"),
      (.function("count:", [.keyPath("pages")]), "count:(pages)"),
      (
        .function(
          "multiply:by:",
          [.function("add:to:", [.keyPath("a"), .constant(.integer(2))]), .keyPath("b")]),
        "(a + 2) * b"
      ),
      (
        .message(to: .variable("m"), selector: "a:", [.constant(.integer(1))]),
        "FUNCTION($m, \"a:\" , 1)"
      ),
      (.aggregate([.constant(.integer(1)), .constant(.null)]), "{1, nil}"),
    ] as [(ModelExpression, String)])
  func written(expression: ModelExpression, text: String) {
    #expect(expression.description == text)
  }

  @Test(
    "a constant is written as predicates have it",
    arguments: [
      (.string("a\"\\b"), "\"a\\\"\\\\b\""), (.boolean(true), "1"),
      (.date(2), "CAST(2, \"NSDate\")"),
      (.uri("a:b"), "CAST(\"a:b\", \"NSURL\")"), (.bytes([1, 2]), "<2 bytes>"),
    ] as [(ModelConstant, String)])
  func constants(value: ModelConstant, text: String) { #expect(value.predicateText == text) }

  @Test("the part that could not be read is found, however deep") func unreadable() {
    let strange = ModelExpression.unknown("?", why: "it is odd")
    let deep = ModelExpression.function("f:", [.keyPath("a"), .aggregate([.itself, strange])])
    #expect(deep.unreadable == "?: it is odd")
    #expect(
      ModelExpression.message(to: .itself, selector: "s", [.constant(.object("C"))]).unreadable
        == "an object of the class C")
    #expect(ModelExpression.function("f:", [.keyPath("a")]).unreadable == nil)
  }
}
