import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Annotations for an editor", .temporaryFolder)
struct TypeAnnotationsTests {
  private func text() throws -> String {
    try NotesSample.lay(in: TemporaryFolder.url)
    let path = TemporaryFolder.url.appending(path: "notes.pipeline").path
    return TypeAnnotations(try Planner(pipeline: PipelineFile(path: path).pipeline()).plan()).text
  }

  @Test("entities of both versions are classes; what may be nil is marked")
  func classes() throws {
    let text = try text()
    #expect(
      text.contains(
        """
        ---Note of Notes.
        ---@class source.Note
        ---@field created number Date
        ---@field done boolean Boolean
        ---@field priority string? String
        ---@field text string? String
        ---@field title string String
        ---@field folder source.Folder? to one
        ---@field tags source.Tag[] to many
        """))
    #expect(
      text.contains(
        """
        ---@class target.Folder
        ---@field name string String
        ---@field notes target.Note[] to many, ordered
        """))
    #expect(text.contains("---@field Label fun(from?: any): target.Label"))
    #expect(text.hasPrefix(TypeAnnotations.firstLine + "\n"))
  }

  @Test("every function that a script may call is in them")
  func functions() throws {
    let text = try text()
    for function in ScriptReference.functions where function.name != "require" {
      if function.module == "ctx" {
        let name = function.name.dropFirst(4)
        #expect(text.contains("---@field \(name) fun("), "\(function.name)")
      } else {
        #expect(text.contains("\nfunction \(function.name)("), "\(function.name)")
      }
    }
    for field in ScriptReference.contextFields {
      #expect(text.contains("---@field \(field.name) \(field.type) "))
    }
    #expect(
      text.contains(
        """
        ---The pieces between separators, `most` of them at most.
        ---
        ---    text.split("a, b, c", ", ", 2)  --> { "a", "b, c" }
        ---@param s string
        ---@param separator string
        ---@param most? integer
        ---@return string[]
        function text.split(s, separator, most) end
        """))
  }

  @Test("they are Lua")
  func lua() throws {
    // The text defines globals of the sandbox's names, so that it is only compiled.
    let path = TemporaryFolder.url.appending(path: "types.lua")
    try Data(("if false then\n" + (try text()) + "\nend\nreturn { begin = function() end }").utf8)
      .write(to: path)
    #expect(try ScriptOutline.load(path: path.path).problems == [])
  }
}
