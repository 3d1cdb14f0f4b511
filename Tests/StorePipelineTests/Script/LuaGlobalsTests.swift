import Testing

@testable import StorePipeline

@Suite("Globals that a Lua text reads")
struct LuaGlobalsTests {
  private static func names(_ text: String) -> [String] {
    LuaGlobals(Array(text.utf8)).reads.map(\.name)
  }

  @Test(
    "names are globals where no local, parameter or loop has them",
    arguments: [
      ("local a <const>, b = 1 return a, b, c", ["c"]),
      ("return a .. b.c, ('x'):d(), { e = f, [g] = 1; h }", ["a", "b", "f", "g", "h"]),
      ("for i, v in pairs(a) do print(i, v, b) end", ["pairs", "a", "print", "b"]),
      ("for i = a, b do local x = i end", ["a", "b"]),
      ("local function f(x, ...) return f(x - 1), ..., y end return x", ["y", "x"]),
      ("function m() end function n.o:p(q) return self, q end return m, self", ["n", "self"]),
      ("return function(a) return function() return a, b end end, a", ["b", "a"]),
      ("if a then local x = 1 elseif b then x = 2 else x = c end", ["a", "b", "c"]),
      ("repeat local x = a until x == b", ["a", "b"]),
      ("while a do break end return 0x1F, 1e5, 3 .. b", ["a", "b"]),
      ("-- a\n--[[ b ]] return 'c', [==[ d ]] ]==], e", ["e"]),
      ("local t = {} t.a, t['b'], t[c] = d, 'e', f", ["c", "d", "f"]),
    ])
  func found(text: String, names: [String]) {
    #expect(Self.names(text) == names)
  }

  @Test(
    "a global that the text assigns is its own",
    arguments: [
      "a = 1 return a", "return a, function() a = 1 end", "local t a, t[1], t.x = 1, 2, 3 return a",
      "local t t[{ 1 }]['x'], a = 1, 2 return a", "function a() end return a()",
      "::top:: a = 1 goto top return a", "-- a\rlocal b = 1\nreturn b", "-- a\r\nb = 1 return b",
    ])
  func assigned(text: String) {
    #expect(Self.names(text) == [])
  }

  @Test("a comparison and the field of a table assign nothing")
  func compared() {
    let text = "return a == 1, b <= 1, c ~= 1, { d = 1, e == 1 }, d"
    #expect(Self.names(text) == ["a", "b", "c", "e", "d"])
  }

  @Test(
    "nothing is said where it is not sure",
    arguments: [
      "return 'x' or a", "return _G.a, b", "local _ENV = {} return a", "_ENV = {} return a",
      "if _VERSION == 'Lua 5.1' then a() end", "return pcall(function() return a end)",
      "local function f() return a end return pcall(f)",
      "function f() return a end return xpcall(f, error)", "local try = pcall return try(a)",
      "\u{FEFF}local a = 1 return a", "do local a = 1 end return a",
    ])
  func uncertain(text: String) {
    #expect(Self.names(text) == [])
  }

  @Test("a function of the sandbox may be called in protected mode")
  func guarded() {
    #expect(Self.names("return pcall(json.decode, a)") == ["pcall", "json", "a"])
  }

  @Test("a field that is read is known with its line, and one that is written is not")
  func fields() {
    let reads = LuaGlobals(Array("string.x = 1\nreturn string.upper, string..a, b.c.d".utf8)).reads
    #expect(reads.map(\.field) == [nil, "upper", nil, nil, "c"])
    #expect(reads.map(\.line) == [1, 2, 2, 2, 2])
  }
}
