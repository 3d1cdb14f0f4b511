import Testing

@testable import StorePipeline

@Suite("Diagram")
struct DiagramTests {
  @Test("both versions are drawn on one sheet, each entity under its last name") func panels()
    throws
  {
    let diagram = Diagram(try ModelDifferenceReportTests.notes())
    #expect(diagram.panels.map(\.side) == [.before, .after])
    #expect(diagram.panels.map(\.version) == ["Notes", "Notes 2"])
    #expect(diagram.names == ["Attachment", "Folder", "Label", "Note"])
    #expect(diagram.layout.places.count == 4)
  }

  @Test("the higher of an entity's two boxes has room") func room() throws {
    let diagram = Diagram(try ModelDifferenceReportTests.notes())
    for panel in diagram.panels {
      for (box, place) in zip(panel.boxes, diagram.layout.places) {
        #expect(place.y + (box?.height ?? 0) <= diagram.layout.height)
      }
    }
  }
}
