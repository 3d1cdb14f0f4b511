import CoreDataStore
import StorePipeline
import StoreTestSupport
import Testing

@Suite("Model difference report")
struct ModelDifferenceReportTests {
  /// The difference of the two versions in samples/Notes.
  static func notes() throws -> ModelDifferenceReport {
    ModelDifferenceReport(
      from: try NotesSample.model("Notes"), to: try NotesSample.model("Notes 2"))
  }

  /// Two models of one entity, whose attribute differs as given.
  static func pair(_ change: (inout Attribute) -> Void) throws -> ModelDifferenceReport {
    func model(_ attribute: Attribute) throws -> Model {
      var entity = Entity(name: "E")
      entity.attributes = [attribute]
      return try Model(name: "M", entities: [entity])
    }
    let old = Attribute(name: "a", type: .string)
    var new = old
    change(&new)
    return ModelDifferenceReport(from: try model(old), to: try model(new))
  }

  @Test("the verdict says whether a migration is due and who can do it") func verdict() throws {
    #expect(try Self.notes().verdict.hasSuffix("Core Data cannot infer all of it."))
    #expect(try Self.pair { _ in }.verdict == "The versions are the same.")
    #expect(try Self.pair { $0.isOptional = true }.verdict.hasSuffix("can infer all of it."))
    #expect(
      try Self.pair { $0.defaultValue = .string("x") }.verdict.hasPrefix("No version hash changes"))
  }

  @Test("obstacles and what leaves no trace in hashes are distinguished") func remarks() throws {
    let report = try Self.notes()
    #expect(report.obstacles.map(\.subject) == ["Note.priority"])
    #expect(report.unhashed.map(\.subject) == ["Note.title"])
    #expect(report.unhashed.map(\.words) == [#"default: "", now "Untitled""#])
  }

  @Test("what happened is described in words, for entities and properties") func words() throws {
    let report = try Self.notes()
    let entities = Dictionary(
      uniqueKeysWithValues: report.difference.entities.map { ($0.name, $0) })
    let note = try #require(entities["Note"])
    let properties = Dictionary(uniqueKeysWithValues: note.properties.map { ($0.name, $0) })
    #expect(try report.words(for: #require(entities["Folder"])) == "same")
    #expect(
      try report.words(for: #require(entities["Attachment"]))
        == "added: 2 attributes, 1 relationship")
    #expect(try report.words(for: #require(properties["body"]), of: note) == "renamed from text")
    #expect(
      try report.words(for: #require(properties["done"]), of: note)
        == "removed: Boolean, default NO")
    #expect(
      try report.words(for: #require(properties["pinned"]), of: note)
        == "added: Boolean, default NO")
  }

  @Test("every change has a symbol of its own") func symbols() {
    let changes: [Change] = [.added, .removed, .renamed, .changed, .same]
    #expect(Set(changes.map(\.symbol)).count == changes.count)
  }
}
