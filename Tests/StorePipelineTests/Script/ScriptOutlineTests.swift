import Foundation
import StorePipeline
import TestSupport
import Testing

@Suite("The outline of a script", .temporaryFolder)
struct ScriptOutlineTests {
  @Test("attributes are functions with named parameters, other attributes, or constants")
  func attributes() throws {
    let outline = try ScriptText(
      """
      local rate = 1.5
      return {
        attributes = {
          title = from "name",
          total = function(price, qty) return price * qty end,
          kind  = "plain", rate = rate, level = 3, isNew = true,
        },
      }
      """
    ).outline()
    #expect(outline.problems == [])
    #expect(
      outline.attributes == [
        "title": .from("name"), "total": .function(parameters: ["price", "qty"]),
        "kind": .constant(.text("plain")), "rate": .constant(.number(1.5)),
        "level": .constant(.integer(3)), "isNew": .constant(.boolean(true)),
      ])
    #expect(outline.computed == ["total"])
    #expect(outline.reads == ["price", "qty"])
    #expect(outline.lines["attributes.total"] == 5)
    #expect(outline.lines["attributes.kind"] == 6)
    #expect(!outline.makesObjects)
  }

  @Test("what a script mentions is what stands in it, and not in the program's own Lua")
  func mentions() throws {
    let outline = try ScriptText(
      #"return { created = function(old, new) new.code = old["text"] end }"#
    ).outline()
    #expect(outline.mentions == ["code", "text"])
    #expect(outline.gives == ["code", "text", "created"])
  }

  @Test(
    "a name that is computed may be that of any attribute",
    arguments: [
      (#"new["co" .. "de"] = 1"#, true), ("new[name] = 1", true), (#"new["c\111de"] = 1"#, true),
      (#"new["code"] = 1"#, false), ("list[1] = 1", false), ("return old[name] == 1", false),
    ])
  func computedNames(statement: String, isComputed: Bool) throws {
    let outline = try ScriptText(
      "return { created = function(old, new) \(statement) end }"
    ).outline()
    #expect(outline.computesNames == isComputed)
  }

  @Test("hooks and the entities that a script makes are known")
  func hooks() throws {
    let outline = try ScriptText(
      """
      return {
        creates = { "Item", "Photo" },
        create = function(item, new, ctx) return new.Item(item) end,
        relate = function(object, ctx) end,
        finish = function(ctx) end,
      }
      """
    ).outline()
    #expect(outline.problems == [])
    #expect(outline.creates == ["Item", "Photo"])
    #expect(outline.hooks == [.create, .relate, .finish])
    #expect(outline.makesObjects)
    #expect(outline.lines["relate"] == 4)
  }

  @Test("the context is no attribute that a function reads")
  func context() throws {
    let text = "return { attributes = { a = function(b, ctx) return b end } }"
    #expect(try ScriptText(text).outline().reads == ["b"])
  }

  @Test("all mistakes in the table are reported at once, with their lines")
  func mistakes() throws {
    let text = """
      return {
        atributes = {},
        attributes = {
          a = function(...) return 1 end,
          b = {},
          [1] = "x",
        },
        creat = function() end,
        relate = "later",
        creates = { "Item", 7 },
        4,
      }
      """
    #expect(
      try ScriptText(text).mistakes() == [
        "1: the script's table has a value without a name; every value has one",
        "2: a script has no 'atributes'; did you mean 'attributes'?",
        "3: 'attributes' has a value without the name of an attribute",
        "4: the function of attribute 'a' takes '...'; its parameters must name what it reads",
        "5: attribute 'b' must be a function, from \"name\" or a constant, not a table",
        "8: a script has no 'creat'; did you mean 'create'?",
        "9: 'relate' must be a function, not a string: relate = function(object, ctx) ... end",
        "10: 'creates' must be a list of entities' names: creates = { \"Item\" }",
        "10: 'creates' without 'create' makes nothing",
      ])
  }

  @Test(
    "a script that cannot be used says why",
    arguments: [
      ("local a = 1", "0: the script returns nothing"),
      ("local function f() return 2 end\nreturn f()", "2: the script returns a number"),
      ("return {}", "1: the script's table is empty"),
      ("return {\n  create = function( end\n}", "2: "),
      ("local x = 1\nlocal y = os.time()", "2: "),
      ("return { attributes = { a = from(7) } }", "1: 'from' needs a name in quotes"),
      ("return { attributes = { a = 1 / 0 } }", "1: attribute 'a' must be a function"),
      ("while true do end", "1: "),
    ])
  func unusable(text: String, start: String) throws {
    let mistakes = try ScriptText(text).mistakes()
    #expect(mistakes.count == 1)
    #expect(mistakes.first?.hasPrefix(start) == true, "\(mistakes)")
  }

  @Test("a file that is not there is reported by its path")
  func missing() {
    let path = TemporaryFolder.url.appending(path: "none.lua").path
    #expect(throws: Problem(file: path, line: 0, message: "there is no such file")) {
      try ScriptOutline.load(path: path)
    }
  }

  @Test("params are data that can be read, listed and not written")
  func params() throws {
    let text = """
      local names = {}
      for name in pairs(params) do names[#names + 1] = name end
      local ok = pcall(function() params.size = 7 end)
      return { attributes = {
        size = params.size, first = params.list[1], count = #params.list,
        names = table.concat(names, " "), written = ok, absent = params.other == nil,
      } }
      """
    let params: [String: OptionValue] = [
      "size": .integer(160), "list": .list([.text("a"), .text("b")]),
    ]
    let outline = try ScriptText(text).outline(params)
    #expect(outline.problems == [])
    #expect(
      outline.attributes == [
        "size": .constant(.integer(160)), "first": .constant(.text("a")),
        "count": .constant(.integer(2)), "names": .constant(.text("list size")),
        "written": .constant(.boolean(false)), "absent": .constant(.boolean(true)),
      ])
  }

  @Test("a param that is almost one that was given is a mistake")
  func nearParam() throws {
    let text = "return { attributes = { a = params.siez } }"
    let problems = try ScriptText(text).outline(["size": .integer(1)]).problems
    #expect(problems.map(\.message) == ["params has no 'siez'; did you mean 'size'?"])
  }

  @Test("the digest changes with the script and with what it requires, and not with its place")
  func digest() throws {
    _ = try ScriptText("return { half = 0.5 }", name: "rates.lua")
    let text = "return { attributes = { a = require('rates').half } }"
    let first = try ScriptText(text).outline().digest
    #expect(first.count == 64)
    #expect(try ScriptText(text, name: "other.lua").outline().digest == first)
    #expect(try ScriptText(text + " ").outline().digest != first)
    _ = try ScriptText("return { half = 0.25, }", name: "rates.lua")
    #expect(try ScriptText(text).outline().digest != first)
  }

  @Test("a mistake in a file that is required is reported of that file")
  func required() throws {
    _ = try ScriptText("local a = 1\nlocal b = a.b.c\n", name: "parts.lua")
    let problems = try ScriptText("return require('parts')").outline().problems
    #expect(problems.map(\.line) == [2])
    #expect(problems.first?.file == "parts.lua")
  }

  private static let declared = "a name of your own is declared before it is used, with local"

  @Test(
    "a name that neither the script nor the sandbox has is a mistake, before anything runs",
    arguments: [
      (
        "return ctx.key() .. ctx.now",
        "unknown name 'ctx'; it is the last parameter, as in create = function(source, new, ctx)"
      ),
      ("return string.uper(name)", "'string' has no 'uper'; did you mean 'upper'?"),
      ("return text.trimm(name)", "'text' has no 'trimm'; did you mean 'trim'?"),
      ("return date.now()", "'date' has no 'now'; ctx.now is the time of the run"),
      ("local amount = 1 return amout", "unknown name 'amout'; did you mean 'amount'?"),
      ("return tostrng(name)", "unknown name 'tostrng'; did you mean 'tostring'?"),
      ("return keep", "unknown name 'keep'; \(declared)"),
      ("return half(name)", "unknown name 'half'; \(declared)"),
      (
        "return os.time()",
        "'os' is not available: scripts cannot reach the system; ctx.now and date.* give and read "
          + "time"
      ),
    ])
  func unknownNames(body: String, message: String) throws {
    let text = """
      return { attributes = {
        title = function(name) \(body) end,
        level = function(half) return half end,
      } }
      """
    #expect(try ScriptText(text).mistakes() == ["2: \(message)"])
  }

  @Test(
    "what may be read on purpose, or not at all, is no mistake",
    arguments: [
      "return (table.unpack or unpack)(name)", "return _G[name]",
      "return pcall(function() return os.time() end) and 1", "return image and image.thumbnail",
      "return clock.now",
    ])
  func knownNames(body: String) throws {
    _ = try ScriptText("return { now = function() return os.time() end }", name: "clock.lua")
    let text = """
      local clock = require("clock")
      rates = { half = 0.5 }
      return { attributes = { title = function(name) \(body) end, rate = rates.half } }
      """
    #expect(try ScriptText(text).mistakes() == [])
  }
}
