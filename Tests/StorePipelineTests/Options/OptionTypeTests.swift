import Testing

@testable import StorePipeline

@Suite("Option type")
struct OptionTypeTests {
  private static let table = OptionType.table(
    OptionTable([OptionDescription("rows", .atLeast(1), help: "")], shorthand: "rows"))

  @Test(
    "a mistake names a type in Lua's words, the reference in its own",
    arguments: [
      (.boolean, "a boolean", "boolean"), (.off, "false", "`false`"),
      (.atLeast(3), "a number", "whole number, at least 3"),
      (.integer(1...9), "a number", "whole number from 1 to 9"),
      (.number(0...0.5), "a number", "number from 0.0 to 0.5"),
      (.choice(["a", "b"]), "a string", #"`"a"` or `"b"`"#), (.size, "a string", "size"),
      (.path(.script), "a string", "path of a Lua file"), (.path(.new), "a string", "path"),
      (.list(.name(.loss)), "a list", "list of `Entity.property`, `Entity.*`, `*` or `CloudKit`"),
      (.oneOrMore(.text), "a string or a list", "text, or a list"),
      (
        .fields(.constant), "a table of names and values",
        "table of names with boolean, number or text"
      ),
      (table, "a table or a number", "table, or whole number, at least 1"),
      (.table(OptionTable([])), "a table", "table"),
      (.either([.off, .text, .size]), "false or a string", "`false`, or text, or size"),
    ] as [(OptionType, String, String)])
  func words(type: OptionType, expectation: String, summary: String) {
    #expect(type.expectation == expectation)
    #expect(type.summary == summary)
  }

  @Test("whole numbers end where JSON no longer keeps them exactly") func exact() {
    #expect(OptionType.atLeast(1) == .integer(1...9_007_199_254_740_992))
  }
}
