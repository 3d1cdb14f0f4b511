import Lua
import Testing

@Suite("Patterns")
struct PatternTests {
  /// Expressions and what the reference implementation gives for them.
  @Test(
    "the matcher gives what Lua's own gives",
    arguments: [
      ("('hello'):find('l')", [3, 3]),
      ("('hello'):find('xyz')", [nil]),
      ("('hello'):find('')", [1, 0]),
      ("('hello'):find('', 10)", [nil]),
      ("('hello'):find('l', -2)", [4, 4]),
      ("('a.b'):find('.', 1, true)", [2, 2]),
      ("('a.b'):find('%.')", [2, 2]),
      ("('key = value'):match('^(%w+)%s*=%s*(%w+)$')", ["key", "value"]),
      ("('  trim  '):match('^%s*(.-)%s*$')", ["trim"]),
      ("('2026-11-21'):match('(%d+)-(%d+)-(%d+)')", ["2026", "11", "21"]),
      ("('hello'):match('()ll()')", [3, 5]),
      ("('abab'):match('(ab)%1')", ["ab"]),
      ("('f(a(b)c)d'):match('%b()')", ["(a(b)c)"]),
      ("('THE (quick) fox'):find('%((%a+)%)')", [5, 11, "quick"]),
      ("('THE (quick) fox'):gsub('%f[%a]%a+', 'x')", ["x (x) x", 3]),
      ("('hello world'):gsub('o', '0')", ["hell0 w0rld", 2]),
      ("('hello world'):gsub('o', '0', 1)", ["hell0 world", 1]),
      ("('hello'):gsub('', '-')", ["-h-e-l-l-o-", 6]),
      ("('hello'):gsub('l*', 'x')", ["xhxexox", 4]),
      ("('abc'):gsub('%w', '%0%0')", ["aabbcc", 3]),
      ("('abc'):gsub('(a)(b)', '%2%1')", ["bac", 1]),
      ("('abc'):gsub('.', { a = 1, b = true })", [nil]),
      ("('abc'):gsub('.', { a = 1, b = false })", ["1bc", 3]),
      ("('abc'):gsub('%w', function(c) if c == 'b' then return 'B' end end)", ["aBc", 3]),
      ("('^a'):gsub('^^', 'x')", ["xa", 1]),
      ("('aaa'):gsub('^a', 'x')", ["xaa", 1]),
      ("('100%'):gsub('%%', ' percent')", ["100 percent", 1]),
      ("('a-b'):match('[a%-]+')", ["a-"]),
      ("('a]b'):match('[]]')", ["]"]),
      ("('a^b'):match('[b^]+')", ["^b"]),
      ("('abc'):match('[^a]+')", ["bc"]),
      ("('x-9'):match('[%a%-%d]+')", ["x-9"]),
      ("('d-f'):match('[a-c-]')", ["-"]),
      ("('\\0a'):find('a')", [2, 2]),
      ("('a\\0b'):find('\\0')", [2, 2]),
      ("('a\\0b'):match('%z')", ["\0"]),
      ("('ab12'):match('%u+')", [nil]),
      ("('AB12'):match('%u+%x+')", ["AB12"]),
      ("('color colour'):gsub('colou?r', 'c')", ["c c", 2]),
      ("('aXb'):match('%u')", ["X"]),
      ("('a b'):match('%S+', 2)", ["b"]),
      ("('!?'):match('%p+')", ["!?"]),
      ("('abc'):match('((a)(b))')", ["ab", "a", "b"]),
      ("('aaab'):match('a-b')", ["aaab"]),
      ("('aaab'):match('^a-$')", [nil]),
      ("('$'):match('$')", [""]),
      ("('a$b'):match('a$b')", ["a$b"]),
    ] as [(String, [LuaValue])])
  func likeLua(expression: String, expected: [LuaValue]) throws {
    if expected == [nil], expression.contains("b = true") {
      #expect(throws: LuaError.self) { try LuaState().run("return " + expression, name: "a.lua") }
    } else {
      #expect(try LuaState().run("return " + expression, name: "a.lua") == expected)
    }
  }

  @Test("gmatch goes through all matches, empty ones between others included")
  func gmatch() throws {
    let script = """
      local out = {}
      for k, v in ('a=1, b=2'):gmatch('(%w+)=(%w+)') do out[#out + 1] = k .. v end
      for w in ('abc'):gmatch('x*') do out[#out + 1] = '[' .. w .. ']' end
      for w in ('one two'):gmatch('%a+', 3) do out[#out + 1] = w end
      return table.concat(out, ' ')
      """
    #expect(try LuaState().run(script, name: "a.lua") == ["a1 b2 [] [] [] [] e two"])
  }

  @Test("ordinary patterns over a megabyte stay within their budget")
  func long() throws {
    let script = """
      local s = string.rep('some words, and blanks   ', 40000)
      local _, n = s:gsub('%s+', ' ')
      local _, m = s:gsub('%a+', string.upper)
      return n, m, (s:match('^%s*(.-)%s*$'):len())
      """
    #expect(try LuaState().run(script, name: "a.lua") == [160_000, 160_000, 999_997])
  }
}
