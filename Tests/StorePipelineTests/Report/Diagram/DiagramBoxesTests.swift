import CoreDataStore
import Testing

@testable import StorePipeline

@Suite("Diagram boxes")
struct DiagramBoxesTests {
  @Test("an entity is described as each version has it") func boxes() throws {
    let diagram = Diagram(try ModelDifferenceReportTests.notes())
    let (before, after) = (diagram.panels[0], diagram.panels[1])
    #expect(before.boxes.map { $0?.name } == [nil, "Folder", "Tag", "Note"])
    #expect(after.boxes.map { $0?.name } == ["Attachment", "Folder", "Label", "Note"])
    #expect(before.boxes[2]?.subtitle == "becomes Label")
    #expect(after.boxes[2]?.subtitle == "was Tag")
    let old = Dictionary(
      uniqueKeysWithValues: (before.boxes[3]?.rows ?? []).map { ($0.name ?? "", $0.change) })
    #expect(old["done"] == .removed && old["text"] == .renamed && old["created"] == .same)
    let new = try #require(after.boxes[3]?.rows)
    #expect(new.first { $0.name == "priority" }?.obstacle != nil)
    #expect(new.first { $0.name == "pinned" }?.change == .added)
    #expect(after.boxes[0]?.rows.allSatisfy { $0.change == .added } == true)
  }

  @Test("in a large model what stayed the same takes one row") func compact() throws {
    let entities = (0..<20).map { number in
      var entity = Entity(name: "E\(number)")
      entity.attributes = ["a", "b", "c"].map { Attribute(name: $0, type: .string) }
      return entity
    }
    var changed = entities
    changed[0].attributes[1].type = .date
    let report = ModelDifferenceReport(
      from: try Model(name: "1", entities: entities), to: try Model(name: "2", entities: changed))
    let boxes = Diagram(report).panels[1].boxes
    let first = try #require(boxes[0]), second = try #require(boxes[1])
    #expect(first.rows.map(\.type) == ["Date", "2 unchanged"])
    #expect(second.rows.map(\.type) == ["3 attributes"])
    #expect(second.anchor(of: "b") == second.anchor(of: "a"))
    #expect(first.anchor(of: "b") < first.anchor(of: "a"))
  }
}
