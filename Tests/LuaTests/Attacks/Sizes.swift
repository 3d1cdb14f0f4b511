import Lua

extension Attack {
  /// Texts, calls and numbers as large, or as odd, as they can be written.
  static let sizes = [
    Attack(
      "a long name", .result(1), "local \(many("a", 200_000)) = 1 return \(many("a", 200_000))"),
    Attack("a long sum", .result(50_000), "return " + list("1", 50_000, "+")),
    Attack(
      "too many locals", .error("too many local variables"),
      "local " + list("a", 201, ",") + " = 1"),
    Attack("many constants", .result("k"), "return ({ " + list("'k'", 100_000, ",") + " })[9e4]"),
    Attack("a huge literal", .result(900_000), "return #'" + many("x", 900_000) + "'"),
    Attack("a comment of brackets", .result(1), "--[[" + many("[", 900_000) + "]]\nreturn 1"),
    Attack(
      "a comment never closed", .error("unfinished long comment"),
      "--[" + many("=", 500_000) + "["),
    Attack("a long number", .result(.real(.infinity)), "return 1" + many("0", 100_000)),
    Attack(
      "a number that does not fit", .result(true),
      "return 9223372036854775808 == 2^63 and 0xffffffffffffffffff == -1"),
    Attack(
      "assigning to too many", .error("C stack overflow"),
      "local t = {} " + list("t[1]", 300, ",") + " = 1"),
    Attack("too many signs", .error("C stack overflow"), "return " + many("- ", 100_000) + "1"),
    Attack("too many joins", .error("overflow"), "return " + list("'x'", 100_000, "..")),
    Attack(
      "functions in functions", .error("overflow"),
      "return " + many("function() return ", 250) + "1" + many(" end", 250)),
    Attack("a label in the distance", .error("no visible label"), "goto " + many("x", 100_000)),
    Attack("the same label twice", .error("already defined"), "::a:: ::a::"),
    Attack("a break out of nothing", .error("break outside"), "break"),
    Attack("a long if", .result("none"), longIf),
    Attack("an escape too large", .error("UTF-8 value too large"), "return '\\u{80000000}'"),
    Attack("a text without an end", .error("unfinished string"), "return 'abc"),
    Attack("a step of nothing", .error("'for' step is zero"), "for i = 1, 10, 0 do end"),
    Attack("steps too small", .stop(.time), "for i = 1, 2, 1e-12 do end"),
    Attack(
      "a loop at the end of integers", .result(2),
      "local n = 0 for i = math.maxinteger - 1, math.maxinteger do n = n + 1 end return n"),
    Attack("arguments that grow", .stop(.time), "local function f(...) return f(1, ...) end f()"),
    Attack(
      "arguments that double", .error("too large"),
      "local function f(...) return f(1, 2, table.unpack({ ... })) end f()"),
    Attack(
      "counting arguments", .stop(.time),
      "local function f(...) local n = 0\n"
        + "for i = 1, select('#', ...) do n = n + select(i, ...) end end\n"
        + "local t = {} for i = 1, 9000 do t[i] = i end while true do f(table.unpack(t)) end"),
    Attack(
      "the bytes of a long text", .error("too large"),
      "return #{ string.byte(string.rep('x', 40000), 1, -1) }"),
    Attack(
      "the characters of a long text", .error("too large"),
      "return #{ utf8.codepoint(string.rep('x', 40000), 1, -1) }"),
    Attack(
      "a caught call with many results", .result(10001),
      "local t = {} for i = 1, 10000 do t[i] = i end\n"
        + "return select('#', xpcall(table.unpack, print, t))"),
    Attack(
      "a chain of closures", .stop(.memory),
      "local f = print for i = 1, math.huge do local g = f f = function() return g() end end"),
    Attack(
      "many things to format", .result(38889),
      "local t = {} for i = 1, 9999 do t[i] = i end\n"
        + "return #string.format(string.rep('%d', 9999), table.unpack(t))"),
    Attack(
      "wide things to format", .error("no value"),
      "return string.format(string.rep('%99d', 200000), 1)"),
    Attack("a NUL in a format", .error("invalid conversion"), "string.format('%\\0s', {})"),
    Attack(
      "a table to quote", .error("no literal form"), "return string.format('%q', {})"),
    Attack(
      "a table just deep enough", .result(1),
      "local t = {} local r = t for i = 1, 63 do t.x = {} t = t.x end json.encode(r) return 1"),
    Attack(
      "a pattern of many blanks", .result("b"),
      "return ('b'):match(string.rep('a*', 1000) .. 'b')"),
    Attack(
      "a date far away", .error("within 30,000 years"), "return date.iso(1e300)"),
    Attack(
      "a date with a long end", .stop(.time),
      "local s = '2001-01-01T00:00:00.' .. string.rep('1', 4e6) while true do date.parse(s) end"),
    Attack(
      "dividing for ever", .stop(.time),
      "local a = '0.' .. string.rep('9', 199) while true do decimal.div('1', a, 100) end"),
  ]

  private static func many(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }

  private static func list(_ text: String, _ count: Int, _ separator: String) -> String {
    Array(repeating: text, count: count).joined(separator: separator)
  }

  private static let longIf =
    "local x = -1 if x == 1 then return x "
    + (0..<20_000).map { "elseif x == \($0) then return \($0) " }.joined()
    + "end return 'none'"
}
