import Lua

extension Attack {
  /// Ways out of the sandbox.
  static let escapes = [
    Attack("run a shell command", .error("'os' is not available"), "os.execute('true')"),
    Attack("read a file", .error("'io' is not available"), "io.open('/etc/passwd')"),
    Attack("read a file through a pipe", .error("'io' is not available"), "io.popen('id')"),
    Attack(
      "load a library", .error("'package' is not available"), "package.loadlib('c', 'system')"),
    Attack(
      "change the module path", .error("'package' is not available"), "package.path = '/?.lua'"),
    Attack("leave the folder by name", .error("a module's name"), "require('../../etc/passwd')"),
    Attack("an absolute module", .error("a module's name"), "require('/etc/passwd')"),
    Attack("a hidden module", .error("a module's name"), "require('.bashrc')"),
    Attack("a module name with a NUL", .error("a module's name"), "require('a\\0b')"),
    Attack("a module without a folder", .error("is not in the script's folder"), "require('evil')"),
    Attack("load bytecode", .error("'load' is not available"), "load('\\27Lua\\84', 'x', 'b')"),
    Attack("load text elsewhere", .error("'load' is not available"), "load('return os')()"),
    Attack("run the standard input", .error("'dofile' is not available"), "dofile()"),
    Attack("load a file", .error("'loadfile' is not available"), "loadfile('/etc/passwd')"),
    Attack("dump a function", .error("'string' has no 'dump'"), "string.dump(print)"),
    Attack("look into the registry", .error("'debug' is not available"), "debug.getregistry()"),
    Attack("take the hook away", .error("'debug' is not available"), "debug.sethook()"),
    Attack("reach a debugger by _G", .error("'debug' is not available"), "return _G.debug"),
    Attack("hide in a coroutine", .error("'coroutine' is not available"), "coroutine.wrap(print)"),
    Attack("switch the collector off", .error("'collectgarbage' is not"), "collectgarbage('stop')"),
    Attack("the metatable of strings", .result(nil), "return getmetatable('')"),
    Attack("write a library", .error("read-only"), "string.upper = function() return 'owned' end"),
    Attack("write a library raw", .error("protected table"), "rawset(string, 'upper', print)"),
    Attack("a library's metatable", .result(false), "return getmetatable(string)"),
    Attack(
      "change a library's metatable", .error("protected metatable"),
      "setmetatable(string, { __index = {} })"),
    Attack("replace a library", .error("sandbox's own"), "string = {}"),
    Attack("replace a function", .error("sandbox's own"), "pcall = nil"),
    Attack(
      "a metatable on the world", .error("protected metatable"),
      "setmetatable(_ENV, { __index = function(_, k) return k end })"),
    Attack("write the world raw", .error("protected table"), "rawset(_G, 'string', {})"),
    Attack(
      "a world of its own", .result(1),
      "local _ENV = setmetatable({}, { __index = function() return function() end end })\n"
        + "anything() x = 1 return x"),
    Attack(
      "the real table library by method", .result("function"),
      "local t = setmetatable({}, { __index = table }) return type(t.insert)"),
    Attack("a goto out of a function", .error("no visible label"), "goto nowhere"),
    Attack("an address in a text", .result("table"), "return tostring({})"),
    Attack(
      "an address by format", .error("'%p' is not available"), "return string.format('%p', {})"),
    Attack("an address by %s", .result("table table"), "return ('%s %s'):format({}, {})"),
    Attack("an address of a function", .result("function"), "return tostring(print)"),
    Attack(
      "an address by __name", .result("table"),
      "return tostring(setmetatable({}, { __name = 'me' }))"),
  ]
}
