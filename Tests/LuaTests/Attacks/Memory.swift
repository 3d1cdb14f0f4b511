import Lua

extension Attack {
  /// Ways to take all memory, or all stack.
  static let memory = [
    Attack("one call for a terabyte", .error("more than 1000 MB"), "string.rep('x', 1 << 40)"),
    Attack("the same by method", .error("more than 1000 MB"), "(('x'):rep(1 << 40)):len()"),
    Attack("more than the limit leaves", .error("memory limit"), "string.rep('x', 100 << 20)"),
    Attack("doubling", .stop(.memory), "local s = 'x' while true do s = s .. s end"),
    Attack(
      "doubling inside pcall", .stop(.memory),
      "local s = 'x' while true do pcall(function() s = s .. s end) end"),
    Attack(
      "a flood of tables", .stop(.memory),
      "local t = {} for i = 1, math.huge do t[i] = { i } end"),
    Attack(
      "a flood of strings", .stop(.memory),
      "local t = {} for i = 1, math.huge do t[i] = 'string number ' .. i end"),
    Attack(
      "a flood of closures", .stop(.memory),
      "local t = {} for i = 1, math.huge do t[i] = function() return i end end"),
    Attack("one giant table", .stop(.memory), "local t = {} for i = 1, 1e9 do t[i] = i end"),
    Attack(
      "formats that grow", .stop(.memory),
      "local f = 'xxxxxxxx' while true do f = ('%s%s'):format(f, f) end"),
    Attack(
      "replacements that grow", .stop(.memory),
      "local s = 'aaaaaaaaaaaaaaaa' while true do s = s:gsub('.', '%0%0') end"),
    Attack("packing padding", .stop(.memory), "string.pack('c1000000000', 'x')"),
    Attack(
      "joining a big list", .error("memory limit"),
      "local s, t = string.rep('x', 1 << 20), {} for i = 1, 1000 do t[i] = s end\n"
        + "return #table.concat(t)"),
    Attack(
      "joining by a long separator", .error("memory limit"),
      "local t, s = {}, string.rep('y', 1 << 20) for i = 1, 1000 do t[i] = '' end\n"
        + "return #table.concat(t, s)"),
    Attack(
      "packing many long texts", .stop(.memory),
      "local s = string.rep('x', 12 << 20) return #string.pack('s8s8s8', s, s, s)"),
    Attack(
      "reversing among garbage", .result(18_874_368),
      "local s = string.rep('x', 18 << 20) for i = 1, 6 do s = s:reverse() end return #s"),
    Attack(
      "printing a lot", .stop(.memory),
      "local s = string.rep('x', 30 << 20) print(s, s, s, s)"),
    Attack("recursion", .error("stack overflow"), "local function f(n) return 1 + f(n) end f(1)"),
    Attack(
      "recursion, caught", .result(false),
      "local function f(n) return 1 + f(n) end return (pcall(f, 1))"),
    Attack(
      "recursion through C", .error("C stack overflow"),
      "local function f() return pcall(f) and error('x') end\n"
        + "local function g(s) return s:gsub('.', g) end return g('x')"),
    Attack(
      "recursion through metatables", .error("C stack overflow"),
      "local mt = {} mt.__tostring = function(x) return tostring(x) end\n"
        + "return tostring(setmetatable({}, mt))"),
    Attack(
      "recursion through sort", .error("C stack overflow"),
      "local function f() table.sort({ 2, 1 }, f) end f()"),
    Attack(
      "nested parentheses", .error("overflow"),
      "return " + String(repeating: "(", count: 300) + "1" + String(repeating: ")", count: 300)),
    Attack(
      "nested tables in a text", .error("overflow"),
      "return " + String(repeating: "{", count: 300) + String(repeating: "}", count: 300)),
    Attack(
      "a pattern too deep", .error("pattern too complex"),
      "return string.rep('a', 300000):find(string.rep('a?', 250000) .. 'b')"),
    Attack(
      "captures beyond number", .error("too many captures"),
      "return ('x'):find(string.rep('()', 40))"),
    Attack(
      "returning a cycle", .error("contains itself"),
      "local t = {} t.t = t return t"),
    Attack(
      "returning a bomb", .error("too large"),
      "local t = { 1 } for i = 1, 40 do t = { t, t } end return t"),
    Attack(
      "returning a deep table", .error("nested more than"),
      "local t = {} for i = 1, 1e5 do t = { t } end return t"),
    Attack(
      "passing a bomb", .error("too large"),
      "local t = { 1 } for i = 1, 40 do t = { t, t } end json.encode(t)"),
    Attack("decoding a deep document", .error("deep"), "json.decode(string.rep('[', 100000))"),
    Attack("a result larger than the limit", .stop(.memory), "return host.big()"),
    Attack("the same, caught", .stop(.memory), "pcall(host.big) return 1"),
  ]
}
