import Lua

extension Attack {
  /// Ways never to end, most of them inside C, where no instruction hook fires.
  static let endless = [
    Attack("a loop", .stop(.time), "while true do end"),
    Attack("a loop by goto", .stop(.time), "::again:: goto again"),
    Attack("a loop of calls", .stop(.time), "local function f() return f() end f()"),
    Attack("a numeric loop", .stop(.time), "for i = 1, math.huge do end"),
    Attack(
      "swallowing the stop", .stop(.time),
      "while true do pcall(function() while true do end end) end"),
    Attack(
      "swallowing it by xpcall", .stop(.time),
      "while true do xpcall(function() while true do end end, function() end) end"),
    Attack(
      "swallowing it once", .stop(.time), "pcall(function() while true do end end) return 'done'"),
    Attack(
      "a handler that loops", .stop(.time),
      "xpcall(error, function() while true do end end)"),
    Attack(
      "a handler that loops in the stop", .stop(.time),
      "xpcall(function() while true do end end, function() while true do end end)"),
    Attack(
      "a finalizer", .error("__gc is not available"),
      "setmetatable({}, { __gc = function() while true do end end })"),
    Attack(
      "a finalizer added later", .result("ended"),
      "local mt = {} setmetatable({}, mt) mt.__gc = function() while true do end end\n"
        + "for i = 1, 1e5 do local t = { i } end return 'ended'"),
    Attack(
      "a closing loop", .stop(.time),
      "local x <close> = setmetatable({}, { __close = function() while true do end end })"),
    Attack(
      "a closing loop in the stop", .stop(.time),
      "local x <close> = setmetatable({}, { __close = function() while true do end end })\n"
        + "while true do end"),
    Attack(
      "many closing loops", .stop(.time),
      "local mt = { __close = function() pcall(function() while true do end end) end }\n"
        + "local function f(n) local x <close> = setmetatable({}, mt) if n > 0 then f(n - 1) end\n"
        + "while true do end end f(100)"),
    Attack(
      "a tostring that loops", .stop(.time),
      "tostring(setmetatable({}, { __tostring = function() while true do end end }))"),
    Attack(
      "an index that loops", .stop(.time),
      "return setmetatable({}, { __index = function() while true do end end }).x"),
    Attack(
      "an index of itself", .error("'__index' chain too long"),
      "local mt = {} local t = setmetatable({}, mt) mt.__index = t return t.x"),
    Attack(
      "a call of itself", .stop(.memory),
      "local mt = {} local t = setmetatable({}, mt) mt.__call = t t()"),
    Attack(
      "pairs without end", .stop(.time),
      "local mt = { __pairs = function() return function() return 1 end end }\n"
        + "for k in pairs(setmetatable({}, mt)) do end"
    ),
    Attack(
      "ipairs without end", .stop(.time),
      "for i in ipairs(setmetatable({}, { __index = function() return 1 end })) do end"),
    Attack("empty pieces for ever", .result(""), "return string.rep('', 1 << 62)"),
    Attack("empty pieces by method", .result(""), "return (''):rep(math.maxinteger)"),
    Attack("moving for ever", .error("too large"), "table.move({}, 1, math.maxinteger - 1, 2)"),
    Attack("moving from below", .error("too large"), "table.move({}, math.mininteger, 0, 1)"),
    Attack(
      "joining for ever", .error("too large"),
      "return table.concat({}, '', 1, math.maxinteger)"),
    Attack(
      "a length that lies", .error("plain tables"),
      "table.insert(setmetatable({}, { __len = function() return 1 << 60 end }), 1, 'x')"),
    Attack(
      "a length that lies to remove", .error("plain tables"),
      "table.remove(setmetatable({}, { __len = function() return 1 << 60 end }), 1)"),
    Attack(
      "a length that lies to sort", .error("plain tables"),
      "table.sort(setmetatable({}, { __len = function() return 1 << 30 end }))"),
    Attack(
      "a length that lies to unpack", .error("plain tables"),
      "table.unpack(setmetatable({}, { __len = function() return 1 << 30 end }))"),
    Attack("unpacking a million", .error("too large"), "table.unpack({}, 1, 1e6)"),
    Attack(
      "an order that contradicts itself", .result("ended"),
      "local t = {} for i = 1, 1e4 do t[i] = i % 7 end\n"
        + "table.sort(t, function() return true end) return 'ended'"),
    Attack(
      "sorting for ever", .stop(.time),
      "local t = {} for i = 1, 200000 do t[i] = i end while true do table.sort(t, rawequal) end"),
    Attack(
      "a quadratic pattern", .error("too many steps"),
      "return (string.rep(' ', 300000) .. 'x'):find('%s+$')"),
    Attack(
      "an exponential pattern", .error("too many steps"),
      "return string.rep('a', 3000):find('.-.-.-.-.-.-b')"),
    Attack(
      "an exponential match", .error("too many steps"),
      "return string.rep('a', 3000):match('.*.*.*.*.*b')"),
    Attack(
      "an exponential gsub", .error("too many steps"),
      "return string.rep('a', 3000):gsub('a*a*a*a*a*b', '')"),
    Attack(
      "an exponential gmatch", .error("too many steps"),
      "for x in string.rep('a', 3000):gmatch('a*a*a*a*a*b') do end"),
    Attack(
      "balanced, quadratic", .error("too many steps"),
      "return string.rep('(', 300000):find('%b()')"),
    Attack(
      "a back reference, quadratic", .error("too many steps"),
      "return string.rep('a', 100000):find('(.*)%1b')"),
    Attack(
      "a set, quadratic", .error("too many steps"),
      "return string.rep('a', 200000):find('[' .. string.rep('b', 100) .. 'a]*c')"),
    Attack(
      "patterns for ever", .stop(.time),
      "local s = string.rep('a', 3000) while true do pcall(string.find, s, '.-.-.-.-.-b') end"),
    Attack(
      "replacing for ever", .stop(.time),
      "while true do text.replace(string.rep('a', 1e6), 'a', 'b') end"),
    Attack(
      "big instructions", .stop(.time),
      "local s = string.rep('x', 20000000) while true do local t = s .. 'y' end"),
    Attack(
      "big comparisons", .stop(.time),
      "local a, b = string.rep('x', 20000000), string.rep('x', 20000000)\n"
        + "while true do local t = a == b end"),
    Attack(
      "big reversals", .stop(.time),
      "local s = string.rep('x', 10000000) while true do s:reverse() end"),
    Attack(
      "big digests", .stop(.time),
      "local s = string.rep('x', 10000000) while true do sha256(s) end"),
    Attack(
      "big conversions", .stop(.time),
      "local s = string.rep('1', 20000000) while true do local t = s + 0 end"),
    Attack(
      "big conversions by tonumber", .stop(.time),
      "local s = string.rep('z', 20000000) while true do local t = tonumber(s, 36) end"),
    Attack(
      "big lengths", .stop(.time),
      "local s = string.rep('x', 20000000) while true do utf8.len(s) end"),
    Attack(
      "giants that come and go", .stop(.time),
      "while true do local s = string.rep('x', 300000) .. 'y' s = nil end"),
    Attack(
      "a handler that fails", .result(false),
      "return (xpcall(error, function() error('again') end))"),
    Attack("host functions for ever", .stop(.time), "while true do hex.encode('x') end"),
    Attack("a hundred thousand labels", .error("too many labels"), labels),
    Attack("sorting a list with holes", .error("too large"), holes + "table.sort(t)"),
    Attack("inserting into one", .error("too large"), holes + "table.insert(t, 1, 'x')"),
    Attack("removing from one", .error("too large"), holes + "table.remove(t, 1)"),
    Attack("joining one", .error("too large"), holes + "return table.concat(t)"),
    Attack("unpacking one", .error("too large"), holes + "return table.unpack(t)"),
    Attack(
      "unknown names among many", .stop(.time),
      "for i = 1, 20000 do _ENV['a_rather_long_name_of_a_global_' .. i] = i end\n"
        + "while true do pcall(function() return a_rather_long_name_of_a_global_x end) end"),
    Attack(
      "replacing by nothing", .stop(.time),
      "local s = string.rep('a', 3e7) while true do text.replace(s, 'a', '') end"),
    Attack(
      "texts that are no UUID", .stop(.time),
      "local s = string.rep('-', 1e7) while true do uuid.parse(s) end"),
    Attack("printing for ever", .stop(.time), "while true do print('x') end"),
    Attack(
      "printing much for ever", .stop(.time),
      "local s = string.rep('x', 200000) while true do print(s) end"),
    Attack(
      "passing much for ever", .stop(.time),
      "local t = {} for i = 1, 1e5 do t[i] = i end while true do pcall(host.add, t) end"),
    Attack("an iterator without end", .stop(.time), "for x in function() return 1 end do end"),
    Attack(
      "next, from the start each time", .stop(.time),
      "local t = {} for i = 1, 1e5 do t['k' .. i] = i end\n"
        + "local k repeat k = next(t, k) until k == nil"),
    Attack(
      "characters without end", .stop(.time),
      "local s = 'a' .. string.rep('\\x80', 3e7)\n"
        + "while true do pcall(function() for p in utf8.codes(s) do end end) end"),
    Attack(
      "long texts compared", .stop(.time),
      "local a = string.rep('a', 250000) local b = a .. 'b' while true do local c = a < b end"),
    Attack(
      "missing modules for ever", .stop(.time), "while true do pcall(require, 'absent') end"),
    Attack(
      "garbage up to the limit", .stop(.time),
      "local t = {} for i = 1, 2e6 do t[i] = false end while true do local x = { {} } end"),
  ]

  /// "The border" (reference manual, 3.4.7) of these keys is 1 << 62: the library's loops over such
  /// a list would never end.
  private static let holes =
    "local t = { " + (0...62).map { "[1 << \($0)] = 1" }.joined(separator: ", ") + " }\n"

  /// Checking that each label is new compares it with all before it (lparser.c, checkrepeated).
  private static let labels = (0..<58_000)
    .map { "::a\($0)::do end" }.joined(separator: " ")
}
