import Lua

extension Attack {
  /// Mistakes and values that make careless hosts crash.
  static let misuse = [
    Attack("an error that is nil", .error("error object is a nil value"), "error(nil)"),
    Attack("an error that is a table", .error("error object is a table value"), "error({})"),
    Attack(
      "an error that is a table with fields", .error(#"{ 7, code = 5, name = "Milk", ok = true }"#),
      "error({ name = 'Milk', 7, ok = true, code = 5 })"),
    Attack(
      "an error that is a table of tables and functions", .error("{ {...}, a = a function }"),
      "error({ {}, a = print })"),
    Attack(
      "an error that is a large table", .error("error object is a table value"),
      "local t = {} for i = 1, 100000 do t['k' .. i] = i end error(t)"),
    Attack(
      "an error that is a table with long texts", .error("xxxx"),
      "error({ string.rep('x', 1000000), [string.rep('k', 1000000)] = 1 })"),
    Attack("an error that is a function", .error("error object is a function"), "error(print)"),
    Attack(
      "an error of its own kind", .error("error object is a table value"),
      "error(setmetatable({}, { __tostring = function() while true do end end }))"),
    Attack("an endless message", .error("xxxx"), "error(string.rep('x', 1000000))"),
    Attack("a message that is no text", .error(""), "error('\\xff\\0\\xfe')"),
    Attack("the memory message, forged", .stop(.memory), "pcall(error, 'not enough memory', 0)"),
    Attack("returning functions", .result(42), "return 42, function() end, print"),
    Attack("returning a function in a table", .error("cannot be kept"), "return { print }"),
    Attack("keys that are no names", .error("cannot be kept"), "return { [1.5] = 1 }"),
    Attack(
      "too many results", .error("too many"),
      "local function f(n) if n > 0 then return 1, f(n - 1) end end return f(15000)"),
    Attack("wrong arguments for the host", .error("two integers"), "host.add({}, 1)"),
    Attack("no arguments for the host", .error("two integers"), "host.add()"),
    Attack(
      "too many arguments for the host", .error("too many"),
      "host.add(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17)"),
    Attack(
      "a host function that fails, caught", .result(false),
      "return (pcall(host.add, 1))"),
    Attack("a function for the host", .error("two integers"), "host.add(print, 1)"),
    Attack("calling back for ever", .error("C stack overflow"), "host.again()"),
    Attack(
      "NUL and bytes that are no text", .result(.string([0x61, 0, 0xFF, 0xFE])),
      "return 'a\\0\\xff\\xfe'"),
    Attack("a key that is not a number", .error("index is NaN"), "local t = {} t[0/0] = 1"),
    Attack("integers at their end", .result(true), "return math.maxinteger + 1 == math.mininteger"),
    Attack("division by nothing", .error("attempt to"), "return 1 // 0"),
    Attack("a float that is no integer", .error("no integer representation"), "return 1.5 | 1"),
    Attack(
      "a table changed while read", .result("ended"),
      "local t = {} for i = 1, 100 do t['k' .. i] = i end\n"
        + "for k in pairs(t) do t[k .. 'x'] = 1 t[k] = nil end return 'ended'"),
    Attack(
      "refused by the host many times", .result(3),
      "for i = 1, 300000 do pcall(host.add, { 1, 2, print }) end return host.add(1, 2)"),
    Attack(
      "a list with a hole, sorted", .result(false),
      "return (pcall(table.sort, { 1, 2, nil, 4 }))"),
    Attack(
      "a list changed while sorted", .result("ended"),
      "local t = {} for i = 1, 1000 do t[i] = 1000 - i end\n"
        + "table.sort(t, function(a, b) t[#t + 1] = 1 t[1] = nil return a < b end) return 'ended'"),
    Attack("a name of one letter", .error("unknown name 'q'"), "return q"),
    Attack("an unfinished pattern", .error("malformed pattern"), "return ('x'):find('[a')"),
    Attack("a pattern ending in %", .error("malformed pattern"), "return ('x'):find('%')"),
    Attack("an unfinished %b", .error("malformed pattern"), "return ('x'):find('%b(')"),
    Attack("%f without a set", .error("missing '['"), "return ('x'):find('%f')"),
    Attack("a set that ends in %", .error("malformed pattern"), "return ('x'):find('[%')"),
    Attack("a capture never closed", .error("unfinished capture"), "return ('x'):find('(x')"),
    Attack("a capture never opened", .error("invalid pattern capture"), "return ('x'):match('x)')"),
    Attack(
      "a capture that is not there", .error("invalid capture index"), "return ('x'):find('%1')"),
    Attack(
      "a replacement without a capture", .error("invalid capture index"),
      "return ('x'):gsub('x', '%2')"),
    Attack(
      "a replacement that is no text", .error("invalid replacement value"),
      "return ('x'):gsub('x', function() return {} end)"),
    Attack("an unknown name", .error("did you mean 'string'"), "return strnig.upper('x')"),
    Attack("an unknown member", .error("did you mean 'trim'"), "return text.trimm('x')"),
    Attack("a text that is not Lua", .error("syntax error"), "this is not Lua"),
    Attack("bytecode for a text", .error("binary chunk"), "\u{1B}Lua"),
    Attack("a damaged property list", .error("property list"), "plist.decode('bplist00xx')"),
    Attack("an empty property list", .error(""), "plist.decode('')"),
  ]
}
