import CoreDataStore
import Testing

@testable import StorePipeline

@Suite("Diagram as HTML")
struct HTMLDiagramTests {
  @Test("where a version does not have an entity, a note stands in its place") func ghosts() throws
  {
    let html = HTMLDiagram(diagram: Diagram(try ModelDifferenceReportTests.notes())).html
    #expect(html.contains("Attachment: not yet there</div>"))
    #expect(!html.contains("id=\"before-0\"") && html.contains("id=\"after-0\""))
    #expect(!html.contains("no longer there"))
  }

  @Test("each line has its words, and each panel its heading") func lines() throws {
    let diagram = Diagram(try ModelDifferenceReportTests.notes())
    let html = HTMLDiagram(diagram: diagram).html
    for line in diagram.panels.flatMap(\.lines) {
      #expect(html.contains("<title>\(line.words)</title>"))
    }
    #expect(html.contains("<h2>Before: Notes</h2>") && html.contains("<h2>After: Notes 2</h2>"))
  }

  @Test("names of entities, properties and versions cannot become markup") func escaped() throws {
    var entity = Entity(name: "<b>")
    entity.attributes = [Attribute(name: "<i>", type: .unknown("<u>"))]
    let model = try Model(name: "<s>", entities: [entity])
    let html = HTMLDiagram(diagram: Diagram(ModelDifferenceReport(from: model, to: model))).html
    for name in ["<b>", "<i>", "<u>", "<s>"] { #expect(!html.contains(name)) }
    #expect(html.contains("<h3>&lt;b&gt;</h3>") && html.contains("&lt;i&gt;"))
  }
}
