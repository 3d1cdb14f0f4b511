/// Boxes and what connects them, without any words: what a layout needs to know.
struct DiagramGraph {
  /// The height of each box.
  let heights: [Int]
  /// Pairs of boxes with a line between them; a box may be connected with itself.
  let edges: [(from: Int, to: Int)]
  /// The boxes next to each box, each once, in order.
  let neighbours: [[Int]]

  /// A graph of boxes of these heights and these lines.
  init(heights: [Int], edges: [(from: Int, to: Int)]) {
    self.heights = heights
    self.edges = edges
    var sets = [Set<Int>](repeating: [], count: heights.count)
    for edge in edges where edge.from != edge.to {
      sets[edge.from].insert(edge.to)
      sets[edge.to].insert(edge.from)
    }
    neighbours = sets.map { $0.sorted() }
  }

  /// The boxes by what hangs together, the largest group first; loners are one group at the end.
  var groups: [[Int]] {
    var seen = Set<Int>()
    var groups: [[Int]] = []
    var loners: [Int] = []
    for start in heights.indices where seen.insert(start).inserted {
      guard !neighbours[start].isEmpty else {
        loners.append(start)
        continue
      }
      var group = [start]
      var next = 0
      while next < group.count {
        group += neighbours[group[next]].filter { seen.insert($0).inserted }
        next += 1
      }
      groups.append(group)
    }
    let bySize = groups.enumerated().sorted {
      ($1.element.count, $0.offset) < ($0.element.count, $1.offset)
    }
    return bySize.map(\.element) + (loners.isEmpty ? [] : [loners])
  }
}
