import StorePipeline
import TestSupport
import Testing

@Suite("Functions without a return", .temporaryFolder)
struct FunctionTextTests {
  private static func warnings(_ text: String) throws -> [String] {
    try ScriptText(text).outline().warnings.map { "\($0.line): \($0.message.prefix(35))" }
  }

  @Test(
    "a function that returns no value itself is a warning with its line",
    arguments: [
      "function(b) end", "function(b) local c = b end", "function(b) if b then b = 1 end end",
      "function(b) return end", "function(b) if b then return else return; end end",
      "function(b) local f = function() return b end end",
      "function(b) repeat local s = 'return 1' until b -- return 2\n end",
    ])
  func warned(function: String) throws {
    let found = try Self.warnings("return { attributes = {\n a = \(function) } }")
    #expect(found == ["2: the function of attribute 'a' has n"])
  }

  @Test(
    "one that may return a value is none",
    arguments: [
      "function(b) return b end", "function(b) if b then return nil end end",
      "function(b) for i = 1, 2 do while b do return 'x' end end end",
      "function(b) return (function() end)() end", "function(b) goto x ::x:: return {} end",
    ])
  func silent(function: String) throws {
    #expect(try Self.warnings("return { attributes = {\n a = \(function) } }") == [])
  }

  @Test("functions on one line are distinguished by their parameters, and by nothing else")
  func oneLine() throws {
    let text = "return { attributes = { a = function(b) return b end, c = function(d) d = 1 end } }"
    #expect(try Self.warnings(text).count == 1)
    #expect(try Self.warnings(text.replacing("(d)", with: "(b)")) == [])
  }

  @Test("a function of a module is looked for in the module's text")
  func module() throws {
    _ = try ScriptText("local m = {}\nfunction m.a(b)\n b = 1\nend\nreturn m", name: "mine.lua")
    let outline = try ScriptText(
      "local mine = require 'mine'\nreturn { attributes = { a = mine.a } }"
    ).outline()
    #expect(outline.problems == [])
    #expect(outline.warnings.map { "\($0.file):\($0.line)" } == ["mine.lua:2"])
  }
}
