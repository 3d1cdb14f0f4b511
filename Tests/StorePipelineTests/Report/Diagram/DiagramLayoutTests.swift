import Testing

@testable import StorePipeline

@Suite("Diagram layout")
struct DiagramLayoutTests {
  /// A chain, a star, loners and a box that is connected with itself.
  static let graphs = [
    DiagramGraph(heights: [], edges: []),
    DiagramGraph(heights: [100], edges: [(0, 0)]),
    DiagramGraph(heights: [80, 120, 60], edges: [(0, 1), (1, 2)]),
    DiagramGraph(
      heights: (0..<60).map { 40 + 22 * ($0 % 5) },
      edges: (1..<50).map { ($0 % 3 == 0 ? $0 - 1 : 0, $0) }),
    DiagramGraph(heights: Array(repeating: 500, count: 9), edges: []),
  ]

  @Test("no box covers another, and all lie on the sheet", arguments: graphs.indices)
  func apart(place: Int) {
    let graph = Self.graphs[place]
    let layout = DiagramLayout(graph)
    let boxes = zip(layout.places, graph.heights).map { point, height in
      (point.x..<(point.x + DiagramMeasure.boxWidth), point.y..<(point.y + height))
    }
    for (index, box) in boxes.enumerated() {
      #expect(box.0.lowerBound >= 0 && box.0.upperBound <= layout.width)
      #expect(box.1.lowerBound >= 0 && box.1.upperBound <= layout.height)
      let covered = boxes[(index + 1)...].contains { $0.0.overlaps(box.0) && $0.1.overlaps(box.1) }
      #expect(!covered)
    }
  }

  @Test("equal graphs have equal layouts", arguments: graphs.indices)
  func stable(place: Int) {
    #expect(DiagramLayout(Self.graphs[place]) == DiagramLayout(Self.graphs[place]))
  }

  @Test("what is connected stands in neighbouring columns") func chain() {
    let layout = DiagramLayout(Self.graphs[2])
    let columns = [0, 1, 2].map { layout.places[$0].x }
    #expect(columns[0] == columns[2] && columns[1] < columns[0])
  }
}
