import Formats
import StoreTestSupport
import Testing

@testable import CoreDataStore

@Suite("Archived predicates")
struct PredicateArchiveTests {
  private var maker = ArchiveMaker()

  private mutating func path(_ name: String) -> PropertyList {
    let text = maker.add(.string(name))
    let specifier = maker.add("NSKeyPathSpecifierExpression", ["NSKeyPath": text])
    let arguments = maker.add(list: [specifier])
    let itself = maker.add("NSSelfExpression", [:])
    return maker.add("NSKeyPathExpression", ["NSOperand": itself, "NSArguments": arguments])
  }

  private mutating func constant(_ value: PropertyList) -> PropertyList {
    let reference = maker.add(value)
    return maker.add("NSConstantValueExpression", ["NSConstantValue": reference])
  }

  private mutating func comparison(
    _ left: PropertyList, _ number: Int64, _ right: PropertyList, options: Int64 = 0
  ) -> PropertyList {
    let sign = maker.add(
      "NSComparisonPredicateOperator",
      ["NSOperatorType": .integer(number), "NSOptions": .integer(options)])
    return maker.add(
      "NSComparisonPredicate",
      ["NSLeftExpression": left, "NSRightExpression": right, "NSPredicateOperator": sign])
  }

  private func read(
    _ root: PropertyList, budget: UnfoldBudget = UnfoldBudget()
  ) throws -> ModelPredicate {
    let archive = try KeyedArchive(maker.bytes(root: root))
    return PredicateArchive.predicate(CompiledObject(try archive.root, budget: budget))
  }

  @Test(
    "comparisons by their number",
    arguments: [
      (Int64(0), "<"), (1, "<="), (2, ">"), (3, ">="), (4, "=="), (5, "!="), (6, "MATCHES"),
      (7, "LIKE"), (8, "BEGINSWITH"), (9, "ENDSWITH"), (10, "IN"), (99, "CONTAINS"),
    ])
  func comparisons(number: Int64, word: String) throws {
    var test = self
    let root = test.comparison(test.path("a"), number, test.constant(.integer(3)))
    #expect(try test.read(root).description == "a \(word) 3")
  }

  @Test("options, truth values and nil")
  func values() throws {
    var test = self
    let letters = test.comparison(test.path("a"), 9, test.constant(.string("x")), options: 3)
    #expect(try test.read(letters).description == "a ENDSWITH[cd] \"x\"")
    let truth = test.comparison(test.path("a"), 4, test.constant(.bool(true)))
    #expect(try test.read(truth).description == "a == 1")
    let nothing = test.maker.add("NSConstantValueExpression", ["NSConstantValue": .uid(0)])
    let isNil = test.comparison(test.path("a"), 5, nothing)
    #expect(try test.read(isNil).description == "a != nil")
  }

  @Test("compounds", arguments: [(Int64(1), "a == 1 AND b == 2"), (2, "a == 1 OR b == 2")])
  func compounds(type: Int64, text: String) throws {
    var test = self
    let parts = [
      test.comparison(test.path("a"), 4, test.constant(.integer(1))),
      test.comparison(test.path("b"), 4, test.constant(.integer(2))),
    ]
    let list = test.maker.add(list: parts)
    let root = test.maker.add(
      "NSCompoundPredicate", ["NSCompoundPredicateType": .integer(type), "NSSubpredicates": list])
    #expect(try test.read(root).description == text)
  }

  @Test("a predicate that contains itself is named, and takes no time")
  func cycle() throws {
    var test = self
    let root = test.maker.add("NSCompoundPredicate", ["NSCompoundPredicateType": .integer(1)])
    let list = test.maker.add(list: [root, root, root])
    test.maker.set("NSSubpredicates", of: root, to: list)
    let budget = UnfoldBudget()
    #expect(try test.read(root, budget: budget).unreadable?.contains("contains itself") == true)
    #expect(!budget.isUsedUp)
  }

  @Test("a predicate whose parts are shared many times over is paid for each time")
  func shared() throws {
    var test = self
    var root = test.comparison(test.path("a"), 4, test.constant(.integer(1)))
    for _ in 0..<20 {
      let list = test.maker.add(list: [root, root, root])
      root = test.maker.add(
        "NSCompoundPredicate", ["NSCompoundPredicateType": .integer(1), "NSSubpredicates": list])
    }
    let budget = UnfoldBudget(parts: 10_000)
    _ = try test.read(root, budget: budget)
    #expect(budget.isUsedUp)
  }

  @Test("a kind that is not known is named")
  func unknown() throws {
    var test = self
    let root = test.maker.add("NSBlockPredicate", [:])
    #expect(try test.read(root).unreadable?.contains("NSBlockPredicate") == true)
  }
}
