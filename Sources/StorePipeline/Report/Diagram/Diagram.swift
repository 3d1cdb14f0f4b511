internal import CoreDataStore

/// The diagrams of both versions, with each entity in the same place in both.
struct Diagram {
  /// One version.
  struct Panel {
    /// Which one.
    let side: DiagramBoxes.Side
    let version: String
    /// A box for each entity of the difference; nil where this version does not have it.
    let boxes: [DiagramBox?]
    let lines: [DiagramLine]
  }

  /// The older version and the newer one.
  let panels: [Panel]
  /// Where the boxes stand.
  let layout: DiagramLayout
  /// The name of each entity, in the version that has it last.
  let names: [String]

  init(_ report: ModelDifferenceReport) {
    let panels = [
      Self.panel(.before, report.source.name, report),
      Self.panel(.after, report.target.name, report),
    ]
    self.panels = panels
    names = report.difference.entities.map(\.name)
    let lines = panels.flatMap(\.lines)
    let heights = report.difference.entities.indices.map { place in
      panels.compactMap { $0.boxes[place]?.height }.max() ?? 0
    }
    layout = DiagramLayout(
      DiagramGraph(heights: heights, edges: lines.map { ($0.from.box, $0.to.box) }))
  }

  private static func panel(
    _ side: DiagramBoxes.Side, _ version: String, _ report: ModelDifferenceReport
  ) -> Panel {
    let boxes = DiagramBoxes(report: report, side: side)
    return Panel(
      side: side, version: version, boxes: report.difference.entities.map(boxes.box),
      lines: DiagramLines(boxes).find())
  }
}
