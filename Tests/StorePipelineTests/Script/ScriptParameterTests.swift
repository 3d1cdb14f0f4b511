import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Parameters of a script's functions", .temporaryFolder)
struct ScriptParameterTests {
  private func folder(_ function: String) throws -> PlanFolder {
    let folder = try PlanFolder.notes(
      adding: "UPDATE ZNOTE SET ZFOLDER = NULL WHERE Z_PK = 3;")
    try folder.write("return { attributes = { priority = 1, \(function) } }", to: "note.lua")
    return folder
  }

  private static let text = PlanFolder.notesText(
    """
    stage "copy" { accept_loss = "*" }
    stage "transform" { entity = "Note", script = "note.lua" }
    """)

  @Test("one may be a relationship to one object, whose attributes it reads; nil where none is")
  func toOne() async throws {
    let folder = try folder(
      """
      title = function(title, folder, ctx)
        return (folder and folder.name or "none") .. ": " .. title
      end
      """)
    let plan = try folder.plan(Self.text, store: "Notes.sqlite")
    #expect(plan.problems.isEmpty, "\(plan.problems)")
    for workers in [1, 2] {
      var options = RunOptions(output: folder.path("\(workers).sqlite"))
      options.workers = workers
      _ = try await Run(plan, store: folder.path("Notes.sqlite"), options: options).execute()
      let old = try StoreRows.read(
        """
        SELECT coalesce(f.ZNAME, 'none') || ': ' || n.ZTITLE FROM ZNOTE AS n
        LEFT JOIN ZFOLDER AS f ON f.Z_PK = n.ZFOLDER ORDER BY n.Z_PK
        """, at: folder.path("Notes.sqlite"))
      #expect(old.last?.hasPrefix("none: ") == true)
      #expect(
        try StoreRows.read(
          "SELECT ZTITLE FROM ZNOTE ORDER BY Z_PK", at: folder.path("\(workers).sqlite")) == old)
    }
  }

  @Test(
    "a relationship to many objects, a relationship as it is and an unknown name are mistakes",
    arguments: [
      (
        "title = function(title, tags) return title end",
        "'title' is made from 'tags', which leads to many objects; read them in `create`"
      ),
      (
        "title = from \"folder\"",
        "'title' is made from 'folder', which is a relationship; write a function with the "
          + "parameter folder"
      ),
      (
        "title = function(foldr) return 1 end",
        "'title' is made from 'foldr', and Note of 'Notes' has no such attribute; did you mean "
          + "'folder'?"
      ),
      (
        "title = function(note) return note.title end",
        "'title' is made from 'note', and Note of 'Notes' has no such attribute; the parameters "
          + "are names of attributes, as in function(title), and `create` is given the object"
      ),
      (
        "labels = function(title) return {} end",
        "Note of 'Notes 2' has no attribute 'labels'; it is a relationship: assign it in `create` "
          + "or `relate`"
      ),
    ])
  func mistakes(function: String, message: String) throws {
    let folder = try folder(function)
    #expect(try folder.check(Self.text).contains("note.lua:1: \(message)"))
  }
}
