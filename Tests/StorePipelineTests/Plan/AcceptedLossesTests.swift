import CoreDataStore
import StorePipeline
import TestSupport
import Testing

@Suite("What a flag gives up", .temporaryFolder)
struct AcceptedLossesTests {
  private static func entity(_ name: String, _ attributes: String...) -> String {
    let list = attributes.map {
      "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>"
    }
    return "<entity name=\"\(name)\">\(list.joined())</entity>"
  }

  /// Three versions: an attribute goes in each.
  private static let models = [
    entity("Note", "title", "first", "second"), entity("Note", "title", "second"),
    entity("Note", "title"),
  ]

  private static let steps = #"step "App 2" { stage "copy" {} } step "App 3" { stage "copy" {} }"#

  private func problems(_ losses: [String], _ steps: String = steps) throws -> [String] {
    let folder = try PlanFolder.models(Self.models)
    let settings = PlanSettings(acceptedLosses: losses)
    return try folder.check(PlanFolder.appText(steps), settings)
  }

  @Test(
    "a name that some version has is no mistake, whichever step it is of",
    arguments: [
      ["Note.first", "Note.second"], ["Note.*"], ["*"], ["N*.first", "*.second"],
      ["Note.*", "Note.Z_ENT"],
    ])
  func known(losses: [String]) throws { #expect(try problems(losses).isEmpty) }

  @Test(
    "a name that no version has is an error with the nearest one",
    arguments: [
      (
        "Note.frist",
        """
        --accept-loss Note.frist: Note has no property 'frist' in any version; did you mean \
        'first'?
        """
      ),
      (
        "Nte.first",
        "--accept-loss Nte.first: No version has an entity 'Nte'; did you mean 'Note'?"
      ),
      ("Visit", "--accept-loss Visit: No version has an entity 'Visit'."),
      ("Nte.*", "--accept-loss Nte.*: No version has an entity 'Nte'; did you mean 'Note'?"),
      ("Note.x*", "--accept-loss Note.x*: Note has no property 'x*' in any version."),
    ])
  func unknown(loss: String, problem: String) throws {
    #expect(try problems(["Note.*", loss]) == [problem])
  }

  @Test("in the file it is one with its line, patterns of unknown entities too")
  func file() throws {
    let steps = """
      step "App 2" { stage "copy" { accept_loss = { "Note.*", "Note.frist", "Nte.*" } } }
      step "App 3" { stage "copy" { accept_loss = "Note.second" } }
      """
    #expect(
      try problems([], steps) == [
        "notes.pipeline:3: accept_loss: The source's Note has no stored property frist; did you "
          + "mean first?",
        "notes.pipeline:3: accept_loss: The source has no entity Nte; did you mean Note?",
      ])
  }
}
