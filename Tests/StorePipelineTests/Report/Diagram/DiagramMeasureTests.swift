import Testing

@testable import StorePipeline

@Suite("Measures of a diagram")
struct DiagramMeasureTests {
  @Test("the style sheet draws boxes and rows as large as the layout takes them to be")
  func shared() throws {
    let css = DiagramStyle.css
    #expect(css.contains("--box-width: \(DiagramMeasure.boxWidth)px"))
    #expect(css.contains("--box-title: \(DiagramMeasure.title)px"))
    #expect(css.contains("--box-subtitle: \(DiagramMeasure.subtitle)px"))
    #expect(css.contains("--box-row: \(DiagramMeasure.row)px"))
    #expect(css.contains("width: var(--box-width)") && css.contains("height: var(--box-row)"))
    // A border of one pixel stands above and below the title.
    #expect(css.contains("height: calc(var(--box-title) - 2px)"))
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
