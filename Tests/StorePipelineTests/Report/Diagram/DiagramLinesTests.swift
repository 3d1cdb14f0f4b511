import CoreDataStore
import Testing

@testable import StorePipeline

@Suite("Diagram lines")
struct DiagramLinesTests {
  @Test("a relationship and its inverse are one line, with a mark at either end") func lines()
    throws
  {
    let diagram = Diagram(try ModelDifferenceReportTests.notes())
    let lines = diagram.panels[1].lines
    #expect(lines.count == 3)
    let folder = try #require(lines.first { $0.words.hasPrefix("Folder.notes") })
    #expect(folder.from == .init(box: 1, property: "notes", mark: .one))
    #expect(folder.to == .init(box: 3, property: "folder", mark: .many))
    #expect(folder.change == .same)
    #expect(lines.first { $0.to.box == 3 && $0.from.box == 2 }?.change == .renamed)
    #expect(lines.first { $0.from.box == 0 }?.change == .added)
  }

  @Test("a relationship without an inverse and one to itself have a line each") func odd() throws {
    var entity = Entity(name: "A", parent: "B")
    var own = Relationship(name: "own", destination: "A")
    own.inverseName = "own"
    entity.relationships = [own, Relationship(name: "away", destination: "B")]
    let model = try Model(name: "M", entities: [entity, Entity(name: "B")])
    let lines = Diagram(ModelDifferenceReport(from: model, to: model)).panels[0].lines
    #expect(lines.map(\.to.mark) == [.parent, .many, .many])
    #expect(lines.map(\.from.mark) == [.none, .none, .many])
  }
}
