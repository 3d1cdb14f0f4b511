import Foundation
import Lua
import TestSupport
import Testing

@Suite("LuaState", .temporaryFolder)
struct LuaStateTests {
  @Test("a script gives back plain values")
  func values() throws {
    let state = try LuaState()
    let values = try state.run(
      "return nil, true, 7, 2.5, 'a\\0b', { 1, 2, x = { 'y' } }, -0.0", name: "a.lua")
    #expect(
      values == [
        nil, true, 7, 2.5, .string([0x61, 0, 0x62]),
        .table(LuaTable(list: [1, 2], fields: ["x": .list(["y"])])), -0.0,
      ])
  }

  @Test(
    "what goes in comes back the same",
    arguments: [
      LuaValue.null, true, .integer(.min), .integer(.max), .real(.infinity),
      .real(.leastNonzeroMagnitude),
      .string([0, 255, 10]), .list([]), .list([1, .list([2])]),
      .table(LuaTable(list: ["a"], fields: [.integer(7): 1, .integer(-1): 2, "k": "v"])),
    ])
  func roundTrip(_ value: LuaValue) throws {
    let state = try LuaState()
    let echo = try state.load("return function(x) return x end", name: "a.lua").callKeepingResult()
    #expect(try echo.call(value) == [value])
  }

  @Test("an error says the file, the line, the line's text and the calls that led there")
  func error() throws {
    let state = try LuaState()
    let script = "local function price(item)\n  return item.price * 2\nend\nreturn (price({}))"
    let error = #expect(throws: LuaError.self) { try state.run(script, name: "scripts/order.lua") }
    #expect(error?.kind == .error)
    #expect(error?.file == "scripts/order.lua")
    #expect(error?.line == 2)
    #expect(error?.message == "attempt to perform arithmetic on a nil value (field 'price')")
    #expect(error?.sourceLine == "  return item.price * 2")
    #expect(error?.traceback.contains("scripts/order.lua:2: in") == true)
    #expect(error?.traceback.contains("scripts/order.lua:4: in") == true)
    #expect(
      error?.description == """
        scripts/order.lua:2: attempt to perform arithmetic on a nil value (field 'price')
            2 |   return item.price * 2
        """)
  }

  @Test("a text that is not Lua is an error with its line")
  func syntax() throws {
    let state = try LuaState()
    let error = #expect(throws: LuaError.self) {
      try state.run("return {\n  a = 1,\n  b = = 2,\n}", name: "a.pipeline")
    }
    #expect(error?.file == "a.pipeline")
    #expect(error?.line == 3)
    #expect(error?.message == "unexpected symbol near '='")
    #expect(error?.sourceLine == "  b = = 2,")
  }

  @Test("a byte-order mark before a script is passed over")
  func byteOrderMark() throws {
    #expect(try LuaState().run("\u{FEFF}return 1", name: "a.lua") == [1])
  }

  @Test("a long path is reported in full, where Lua would shorten it")
  func longName() throws {
    let name = String(repeating: "a folder/", count: 20) + "script.lua"
    let error = #expect(throws: LuaError.self) {
      try LuaState().run("error('no')", name: name)
    }
    #expect(error?.file == name)
    #expect(error?.message == "no")
  }

  @Test("a host function takes and gives plain values")
  func hostFunction() throws {
    let state = try LuaState()
    try state.define("twice", in: "host") { [.integer(($0.first?.integer ?? 0) * 2), "done"] }
    try state.define("count") { [.integer(Int64($0.count))] }
    #expect(try state.run("return host.twice(21)", name: "a.lua") == [42, "done"])
    #expect(try state.run("return count(nil, {}, 'x')", name: "a.lua") == [3])
  }

  @Test("a function written in Lua is given to later scripts, which cannot write it")
  func definedValue() throws {
    let state = try LuaState()
    let twice = "return function(f) return function(x) return f(f(x)) end end"
    try state.define("twice", as: state.load(twice, name: "prelude").callKeepingResult())
    let script = "return twice(function(x) return x .. 'b' end)('a')"
    #expect(try state.run(script, name: "a.lua") == ["abb"])
    let error = #expect(throws: LuaError.self) { try state.run("twice = 1", name: "a.lua") }
    #expect(error?.message == "'twice' is the sandbox's own and cannot be written")
  }

  @Test("a name taken away is unknown to later scripts, and stays with earlier ones")
  func takenAway() throws {
    let state = try LuaState()
    try state.define("secret", in: "host") { _ in [7] }
    let earlier = try state.load("return host.secret()", name: "a.lua")
    try state.define("host", as: nil)
    #expect(try earlier.call() == [7])
    let error = #expect(throws: LuaError.self) { try state.run("host.secret()", name: "b.lua") }
    #expect(error?.message == "unknown name 'host'")
  }

  @Test("a host function knows which line called it, through functions in between")
  func caller() throws {
    let state = try LuaState()
    var places: [String] = []
    try state.define("here") { [unowned state] _ in
      for level in 1...3 {
        if let place = state.caller(level: level) { places.append("\(place.file):\(place.line)") }
      }
      return []
    }
    try state.run("local function f()\n  here()\nend\n\nf()", name: "a.lua")
    #expect(places == ["a.lua:2", "a.lua:5"])
  }

  @Test("a host function may call back into Lua, and an inner error keeps its place")
  func nested() throws {
    let state = try LuaState()
    try state.define("evaluate") { [unowned state] arguments in
      try state.run(arguments.first?.text ?? "", name: "inner.lua")
    }
    #expect(try state.run("return evaluate('return 1 + 1')", name: "outer.lua") == [2])
    let error = #expect(throws: LuaError.self) {
      try state.run("\n\nevaluate('\\nerror(\"deep\")')", name: "outer.lua")
    }
    #expect(error?.message == "deep")
    #expect(error?.file == "inner.lua")
    #expect(error?.line == 2)
    #expect(error?.traceback.contains("outer.lua:3") == true)
  }

  @Test(
    "an error is where its message says it is, and a text that only looks so is left alone",
    arguments: [
      ("local function f() error('bad', 2) end\n\nf()", "bad", 3),
      ("local ok, e = pcall(error, 'a.lua:7: first', 0)\nerror(e, 0)", "first", 7),
      ("error('at 1: no', 0)", "at 1: no", 1),
      ("\nerror('b.lua:1: no', 0)", "b.lua:1: no", 2),
    ])
  func place(text: String, message: String, line: Int) throws {
    let error = #expect(throws: LuaError.self) { try LuaState().run(text, name: "a.lua") }
    #expect(error?.message == message)
    #expect(error?.file == "a.lua")
    #expect(error?.line == line)
  }

  @Test("a time limit beyond all clocks is no limit")
  func endlessLimit() throws {
    let limits = LuaLimits(time: .seconds(Int64.max))
    #expect(try LuaState(limits: limits).run("return 1", name: "a.lua") == [1])
  }

  @Test("another thread stops a script, and the state stays stopped")
  func cancel() throws {
    let canceller = LuaCanceller()
    let state = try LuaState(limits: LuaLimits(time: .seconds(60)), canceller: canceller)
    // A thread of its own: tasks may have to wait until other tests leave them one.
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.05)
      canceller.cancel()
    }
    let error = #expect(throws: LuaError.self) {
      try state.run("local n = 0\nwhile true do\n  n = n + 1\nend", name: "a.lua")
    }
    #expect(error?.kind == .cancelled)
    #expect([2, 3].contains(error?.line))
    #expect(throws: LuaError.self) { try state.run("return 1", name: "a.lua") }
  }

  @Test("instructions are counted, and the count is a limit")
  func instructions() throws {
    let state = try LuaState(limits: LuaLimits(instructions: 100_000))
    try state.run("for i = 1, 10000 do end", name: "a.lua")
    #expect((9_000...100_000).contains(state.instructions))
    let error = #expect(throws: LuaError.self) {
      try state.run("for i = 1, 1e9 do end", name: "a.lua")
    }
    #expect(error?.kind == .instructions)
  }

  @Test("each call begins with fresh limits")
  func rearmed() throws {
    let state = try LuaState(limits: LuaLimits(instructions: 50_000))
    for _ in 0..<20 { try state.run("for i = 1, 10000 do end", name: "a.lua") }
  }

  @Test("print goes where the host says, a line a call")
  func printing() throws {
    let state = try LuaState()
    var lines: [String] = []
    try state.run("print('nowhere')", name: "a.lua")
    state.onPrint { lines.append($0) }
    try state.run("print('a', 1, nil, {}, 2.0) print()", name: "a.lua")
    #expect(lines == ["a\t1\tnil\ttable\t2.0", ""])
  }

  @Test("a function tells its parameters and its line")
  func parameters() throws {
    let state = try LuaState()
    let table = try state.load(
      "return {\n  total = function(price, qty, ...) return price * qty end,\n  name = 'x',\n}",
      name: "a.lua"
    ).callKeepingResult()
    #expect(table.kind == .table)
    #expect(try table.keys() == ["name", "total"])
    let total = try table.field("total")
    #expect(total.kind == .function)
    let parameters = try total.parameters()
    #expect(parameters.names == ["price", "qty"])
    #expect(parameters.takesMore)
    #expect(parameters.line == 2)
    #expect(try total.call(6, 7) == [42])
    #expect(try table.field("name").value() == "x")
    #expect(try table.field("none").kind == .null)
  }

  @Test("a script's first globals are its own; another script does not see them")
  func ownGlobals() throws {
    let state = try LuaState()
    #expect(try state.run("mine = 1 return mine, _G.mine", name: "a.lua") == [1, 1])
    let error = #expect(throws: LuaError.self) { try state.run("return mine", name: "b.lua") }
    #expect(error?.message.hasPrefix("unknown name 'mine'") == true)
  }

  @Test("'image' may be asked for where it was not built in")
  func image() throws {
    let asked = "return image == nil or type(image.size) == 'function'"
    #expect(try LuaState().run(asked, name: "a.lua") == [true])
  }

  @Test("a record is read and written by name, and refuses with its own words")
  func records() throws {
    final class Item: LuaRecord {
      struct Unknown: Error, CustomStringConvertible { let description: String }
      var values: [String: LuaValue] = ["name": "box"]
      func read(_ name: String) throws -> LuaValue {
        guard let value = values[name] else { throw Unknown(description: "Item has no '\(name)'") }
        return value
      }
      func write(_ name: String, _ value: LuaValue) throws { values[name] = value }
    }
    let state = try LuaState()
    let item = Item()
    let script = try state.load(
      "return function(item) item.label = item.name .. '!' return item.nmae end", name: "a.lua"
    ).callKeepingResult()
    let error = #expect(throws: LuaError.self) { try script.call([.record(item)]) }
    #expect(error?.message == "Item has no 'nmae'")
    #expect(item.values["label"] == "box!")
  }

  @Test("a deep script runs on a thread made for it")
  func thread() throws {
    let answer = try ScriptThread.run {
      try LuaState().run(
        "local function f(n) if n == 0 then return 0 end return 1 + f(n - 1) end return f(10000)",
        name: "a.lua")
    }
    #expect(answer == [10_000])
  }
}
