import CoreDataStore
import Testing

@Suite("Predicate text")
struct PredicateParserTests {
  @Test(
    "the common language is read, and written as Core Data writes it",
    arguments: [
      ("a == 1", "a == 1"), ("a = 1", "a == 1"), ("a <> 1", "a != 1"), ("a=<1", "a <= 1"),
      ("a != nil", "a != nil"), ("a == NULL", "a == nil"), ("flag == YES", "flag == 1"),
      ("flag == false", "flag == 0"), ("a > -1.5", "a > -1.5"), ("a == 'x'", "a == \"x\""),
      ("a == \"say \\\"hi\\\"\"", "a == \"say \\\"hi\\\"\""),
      ("a == 1 and b == 2", "a == 1 AND b == 2"),
      ("a == 1 && b == 2 || c == 3", "(a == 1 AND b == 2) OR c == 3"),
      ("(a == 1 OR b == 2) AND c == 3", "(a == 1 OR b == 2) AND c == 3"),
      ("NOT (a == 1 OR b == 2)", "NOT (a == 1 OR b == 2)"), ("!(a == 1)", "NOT a == 1"),
      ("a IN {1, 2}", "a IN {1, 2}"), ("a BETWEEN {1, 2}", "a BETWEEN {1, 2}"),
      ("NOT a IN {1}", "NOT a IN {1}"), ("a NOT IN {1}", "NOT a IN {1}"),
      ("name BEGINSWITH[cd] \"x\"", "name BEGINSWITH[cd] \"x\""),
      ("name contains[dc] 'x'", "name CONTAINS[cd] \"x\""),
      ("ANY items.size > 3", "ANY items.size > 3"),
      ("NONE items.size > 3", "NOT ANY items.size > 3"),
      ("SELF.length >= 3", "length >= 3"), ("SELF MATCHES 'a+'", "SELF MATCHES \"a+\""),
      ("count:(pages) > 2", "count:(pages) > 2"), ("items.@count > 2", "items.@count > 2"),
      ("a == $FETCH_SOURCE.alias", "a == $FETCH_SOURCE.alias"), ("a == $X", "a == $X"),
      ("(a + 2) * 3 > b", "(a + 2) * 3 > b"), ("TRUEPREDICATE", "TRUEPREDICATE"),
      ("#in == 1 AND #any.size > 2", "#in == 1 AND #any.size > 2"), ("#name == 1", "name == 1"),
      ("when > CAST(100.5, \"NSDate\")", "when > CAST(100.5, \"NSDate\")"),
      (
        "x == FUNCTION($manager, \"a:b:\" , 1, $source.y)",
        "x == FUNCTION($manager, \"a:b:\" , 1, $source.y)"
      ),
    ])
  func understood(text: String, written: String) {
    let predicate = PredicateParser.predicate(text)
    #expect(predicate.unreadable == nil)
    #expect(predicate.description == written)
  }

  @Test(
    "what was written reads back to the same predicate",
    arguments: [
      "a == 1 AND (b < 2 OR NOT c IN {\"x\", nil})", "ALL a.b >= 3", "a LIKE[c] \"*x\"",
    ])
  func roundTrip(text: String) {
    let predicate = PredicateParser.predicate(text)
    #expect(PredicateParser.predicate(predicate.description) == predicate)
  }

  @Test(
    "what is not understood is named with its text",
    arguments: [
      ("", "ends too early"), ("a ==", "ends too early"), ("a == 1 junk", "\"junk\""),
      ("a ~~ 1", "\"~\""), ("a == \"x", "does not end"), ("a == %@", "\"%\""),
      ("a LIKES 1", "\"LIKES\""), ("(a == 1", "ends too early"), ("a == 1.2.3", "not a number"),
      ("SUBQUERY(items, $x, $x.a == 1).@count > 0", "not understood"),
      ("a ==[q] 1", "option"), ("a == #09", "\"#\""),
      ("CAST(a, 'NSNumber') == 1", "CAST is not understood"),
      ("a == SELF..2", "has an empty part"), ("a. == 1", "has an empty part"),
    ])
  func notUnderstood(text: String, why: String) {
    let predicate = PredicateParser.predicate(text)
    guard case .unknown(let kept, let reason) = predicate else {
      Issue.record("\(predicate) was understood")
      return
    }
    #expect(kept == text)
    #expect(reason.contains(why), "\(reason)")
  }

  @Test(
    "a chain of operators nests, and is no longer than nesting may be deep",
    arguments: ["+", "-", "*", "/"])
  func chain(sign: String) {
    let longest = Array(repeating: "x", count: 100).joined(separator: " \(sign) ")
    #expect(PredicateParser.expression(longest).unreadable == nil)
    let tooLong = Array(repeating: "x", count: 20_000).joined(separator: sign)
    #expect(PredicateParser.expression(tooLong).unreadable?.hasSuffix("nested too deeply") == true)
    #expect(
      PredicateParser.predicate("\(tooLong) == 1").unreadable?.hasSuffix("nested too deeply")
        == true)
  }

  @Test("chains within parentheses and calls add up")
  func nestedChains() {
    let chain = Array(repeating: "+ x", count: 60).joined(separator: " ")
    #expect(PredicateParser.expression("(x \(chain)) * 2").unreadable == nil)
    for text in ["(x \(chain)) \(chain)", "max(1, x \(chain)) \(chain)"] {
      #expect(PredicateParser.expression(text).unreadable?.hasSuffix("nested too deeply") == true)
    }
  }

  @Test("many comparisons side by side do not nest")
  func broad() {
    let text = Array(repeating: "(a + b) * 2 > c", count: 500).joined(separator: " OR ")
    #expect(PredicateParser.predicate(text).unreadable == nil)
  }
}
