import Testing

@testable import StorePipeline

@Suite("Diagram graph")
struct DiagramGraphTests {
  private static let graph = DiagramGraph(
    heights: Array(repeating: 1, count: 7), edges: [(5, 6), (4, 2), (0, 2), (2, 4), (3, 3)])

  @Test("groups are what hangs together; loners are one group at the end") func groups() {
    #expect(Self.graph.groups == [[0, 2, 4], [5, 6], [1, 3]])
  }

  @Test("neighbours are listed once, in order, and nothing is its own") func neighbours() {
    #expect(Self.graph.neighbours == [[2], [], [0, 4], [], [2], [6], [5]])
  }
}
