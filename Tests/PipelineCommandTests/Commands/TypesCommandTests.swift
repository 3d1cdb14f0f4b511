import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import pipeline

@Suite("pipeline types", .temporaryFolder)
struct TypesCommandTests {
  @Test(
    "the language server's own checker has nothing against a script and the annotations",
    .enabled(
      if: Tool.isThere("lua-language-server"),
      "lua-language-server is not installed; the annotations are compared with a text instead"))
  func checker() throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    let good = try Tool.shell(
      "pipeline types notes.pipeline && lua-language-server --check=. --checklevel=Warning")
    #expect(good.status == 0)
    try Data(
      """
      return {
        ---@param note source.Note
        create = function(note, new) return new.Note { title = note.titel } end,
      }
      """.utf8
    ).write(to: TemporaryFolder.url.appending(path: "bad.lua"))
    let bad = try Tool.shell("lua-language-server --check=. --checklevel=Warning")
    #expect(bad.status != 0)
  }
}
