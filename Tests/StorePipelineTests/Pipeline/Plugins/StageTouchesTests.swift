import StoreTestSupport
import Testing

@testable import StorePipeline

@Suite("What a stage in Lua says that it changes")
struct StageTouchesTests {
  private func touches(_ names: String...) throws -> StageTouches {
    StageTouches(names, try NotesSample.model("Notes 2"))
  }

  @Test("a name of a property means it alone, one of an entity everything of its objects")
  func names() throws {
    let property = try touches("Note.title")
    #expect(property.has("title", of: "Note"))
    #expect(!property.has("body", of: "Note") && !property.hasObjects(of: "Note"))
    let entity = try touches("Note")
    #expect(entity.has("body", of: "Note") && entity.hasObjects(of: "Note"))
    #expect(!entity.has("name", of: "Folder"))
    #expect(entity.entities == ["Note"])
  }

  @Test("stars mean all properties of one entity, of all, and everything")
  func stars() throws {
    let one = try touches("Note.*")
    #expect(one.has("body", of: "Note") && !one.has("name", of: "Folder"))
    #expect(one.entities.isEmpty)
    let all = try touches("*.*")
    #expect(all.has("name", of: "Folder") && !all.hasObjects(of: "Folder"))
    #expect(try touches("*").hasObjects(of: "Folder"))
  }

  @Test("a name that the model has not is a mistake, with the nearest one")
  func mistakes() throws {
    let touches = try touches("Note.titel", "Foldr", "Note.title", "Note.*", "*", "*.*")
    #expect(touches.mistakes.count == 2)
    #expect(touches.mistakes.first?.contains("has no property 'titel'") == true)
    #expect(touches.mistakes.allSatisfy { $0.contains("did you mean") })
  }
}
