import Foundation
import Lua
import Testing

@Suite("The page on scripts")
struct DocumentationTests {
  private static let page = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/StorePipeline/StorePipeline.docc/Scripts.md")

  @Test("every helper of the sandbox is on it")
  func helpers() throws {
    let page = try String(contentsOf: Self.page, encoding: .utf8)
    let script = """
      local standard = { string = true, table = true, math = true, utf8 = true, _G = true }
      local names = { 'sha256' }
      for library, members in pairs(_G) do
        if type(members) == 'table' and not standard[library] then
          for name in pairs(members) do names[#names + 1] = library .. '.' .. name end
        end
      end
      return names
      """
    let values = try LuaState().run(script, name: "a.lua")
    let names = values.first?.table?.list.compactMap(\.text) ?? []
    #expect(names.count > 30)
    for name in names { #expect(page.contains("`\(name)("), "\(name) is not described") }
  }

  @Test("what is withheld is on it")
  func withheld() throws {
    let page = try String(contentsOf: Self.page, encoding: .utf8)
    for name in ["os", "io", "debug", "package", "coroutine", "load", "dofile", "loadfile"] {
      #expect(page.contains("`\(name)`"))
      #expect(throws: LuaError.self) { try LuaState().run("return \(name)", name: "a.lua") }
    }
  }
}
