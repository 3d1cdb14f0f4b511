import Testing

@testable import StorePipeline

@Suite("Measures of a diagram")
struct DiagramMeasureTests {
  @Test("the style sheet draws boxes and rows as large as the layout takes them to be")
  func shared() throws {
    let css = DiagramStyle.css
    #expect(css.contains("width: \(DiagramMeasure.boxWidth)px"))
    // A border of one pixel stands above and below the title.
    #expect(css.contains("height: \(DiagramMeasure.title - 2)px"))
    #expect(css.contains("height: \(DiagramMeasure.subtitle)px"))
    #expect(css.contains("height: \(DiagramMeasure.row)px"))
  }

  @Test("a box is as high as its parts")
  func box() throws {
    let panels = Diagram(try ModelDifferenceReportTests.notes()).panels
    for box in panels.flatMap(\.boxes).compactMap(\.self) {
      let subtitle = box.subtitle.isEmpty ? 0 : DiagramMeasure.subtitle
      let rows = box.rows.count * DiagramMeasure.row
      #expect(box.height == DiagramMeasure.title + subtitle + rows + DiagramMeasure.foot)
    }
  }
}
