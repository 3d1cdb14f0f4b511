import Foundation
import Lua
import Testing

@Suite("The page on scripts")
struct DocumentationTests {
  private static let page = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/StorePipeline/StorePipeline.docc/Scripts.md")

  @Test("what is withheld is on it")
  func withheld() throws {
    let page = try String(contentsOf: Self.page, encoding: .utf8)
    for name in ["os", "io", "debug", "package", "coroutine", "load", "dofile", "loadfile"] {
      #expect(page.contains("`\(name)`"))
      #expect(throws: LuaError.self) { try LuaState().run("return \(name)", name: "a.lua") }
    }
  }
}
