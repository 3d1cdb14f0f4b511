import Lua

extension Attack {
  /// Metamethods, handlers and modules that lead back to themselves, or elsewhere than they should.
  static let metatables = [
    Attack(
      "an __index function of itself", .error("C stack overflow"),
      "local mt = {} mt.__index = function(t, k) return t[k + 1] end\n"
        + "return setmetatable({}, mt)[1]"),
    Attack(
      "a __newindex function of itself", .error("C stack overflow"),
      "local mt = {} mt.__newindex = function(t, k, v) t[k] = v end\n"
        + "setmetatable({}, mt).x = 1"),
    Attack(
      "a chain of __newindex", .error("'__newindex' chain too long"),
      "local t = {} for i = 1, 3000 do t = setmetatable({}, { __newindex = t }) end t.x = 1"),
    Attack(
      "an __eq of itself", .error("C stack overflow"),
      "local mt = {} mt.__eq = function(a, b) return a == b end\n"
        + "return setmetatable({}, mt) == setmetatable({}, mt)"),
    Attack(
      "an __lt of itself", .error("C stack overflow"),
      "local mt = {} mt.__lt = function(a, b) return a < b end\n"
        + "return setmetatable({}, mt) < setmetatable({}, mt)"),
    Attack(
      "a __concat of itself", .error("C stack overflow"),
      "local mt = {} mt.__concat = function(a, b) return a .. b end\n"
        + "return setmetatable({}, mt) .. 'x'"),
    Attack(
      "a __len of itself", .error("C stack overflow"),
      "local mt = {} mt.__len = function(a) return #a end return #setmetatable({}, mt)"),
    Attack(
      "an __unm of itself", .error("C stack overflow"),
      "local mt = {} mt.__unm = function(a) return -a end return -setmetatable({}, mt)"),
    Attack(
      "a __call function of itself", .stop(.time),
      "local mt = {} mt.__call = function(self, ...) return self(...) end\n"
        + "return setmetatable({}, mt)()"),
    Attack(
      "a long chain of __call", .stop(.memory),
      "local t = print for i = 1, 150000 do t = setmetatable({}, { __call = t }) end t()"),
    Attack(
      "__pairs that is pairs", .error("C stack overflow"),
      "return pairs(setmetatable({}, { __pairs = pairs }))"),
    Attack(
      "a table for gsub that loops", .stop(.time),
      "return ('x'):gsub('x', setmetatable({}, { __index = function() while true do end end }))"),
    Attack(
      "an error while closing", .error("in close"),
      "local x <close> = setmetatable({}, { __close = function() error('in close') end })\n"
        + "error('first')"),
    Attack("closing what cannot be", .error("non-closable"), "local x <close> = 42"),
    Attack(
      "an error in __tostring", .error("inner"),
      "return tostring(setmetatable({}, { __tostring = function() error('inner') end }))"),
    Attack(
      "a __tostring that gives no text", .error("must return a string"),
      "print(setmetatable({}, { __tostring = function() return {} end }))"),
    Attack(
      "an address in an error", .error("perform arithmetic on a table value"),
      "return {} + setmetatable({}, { __name = 'table: 0x1' })"),
    Attack("a handler in C", .result(false), "return (xpcall(error, print, 'x'))"),
    Attack("a handler that is error", .result(false), "return (xpcall(error, error, 'x'))"),
    Attack("a handler that is pcall", .result(false), "return (xpcall(error, pcall, 'x'))"),
    Attack(
      "a handler with many results", .result(1),
      "return (select(2, xpcall(error, table.unpack, { 1, 2, 3 })))"),
    Attack(
      "pcall around pcall", .result(true),
      "local f = pcall\n"
        + "for i = 1, 150 do local g = f f = function(...) return pcall(g, ...) end end\n"
        + "return (f(error))"),
    Attack(
      "a metatable on a library", .error("protected metatable"), "setmetatable(text, {})"),
    Attack("a metatable on a text", .error("table expected"), "setmetatable('x', {})"),
    Attack("a function's metatable", .result(nil), "return getmetatable(print)"),
    Attack("a member of a text", .error("'string' has no 'y'"), "return ('x').y"),
    Attack("a place of a text", .error("only named members"), "return ('x')[1]"),
    Attack(
      "a text for a world", .error("index a string value"), "local _ENV = 'abc' len = 1"),
    Attack("no world at all", .error("index a nil value"), "local _ENV = nil return x"),
    Attack("the world, written raw", .error("protected table"), "rawset(_ENV, 'x', 1)"),
    Attack(
      "a world kept for later", .error("global 'x' cannot be written"),
      "local world = _ENV return function() world.x = 1 end"),
  ]
}
