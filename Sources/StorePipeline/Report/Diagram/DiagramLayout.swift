/// Where the boxes of a diagram stand: in columns, connected ones near each other.
///
/// Each group of connected boxes is layered by its distance from the box with the most lines; the
/// boxes of a column are then ordered by where their neighbours stand (the barycentre heuristic of
/// Sugiyama, Tagawa and Toda, 1981). Equal graphs always have equal layouts.
struct DiagramLayout: Equatable {
  /// A place in pixels.
  struct Point: Equatable {
    var x: Int
    var y: Int
  }

  /// The upper left corner of each box.
  private(set) var places: [Point]
  private(set) var width = 0
  private(set) var height = 0

  private static let step = DiagramMeasure.boxWidth + DiagramMeasure.columnGap

  /// Places the boxes of a graph.
  init(_ graph: DiagramGraph) {
    places = Array(repeating: Point(x: 0, y: 0), count: graph.heights.count)
    let side = Self.side(of: graph)
    var corner = Point(x: DiagramMeasure.margin, y: DiagramMeasure.margin)
    var shelf = 0
    for group in graph.groups {
      let columns = Self.ordered(Self.columns(of: group, in: graph, tallest: side), graph)
      let size = Point(x: columns.count * Self.step, y: Self.height(of: columns, graph))
      if corner.x > DiagramMeasure.margin, corner.x + size.x > max(side * 3 / 2, width) {
        corner = Point(x: DiagramMeasure.margin, y: corner.y + shelf + 2 * DiagramMeasure.rowGap)
        shelf = 0
      }
      place(columns, at: corner, height: size.y, graph)
      corner.x += size.x
      shelf = max(shelf, size.y)
      width = max(width, corner.x - DiagramMeasure.columnGap + DiagramMeasure.margin)
    }
    height = corner.y + shelf + DiagramMeasure.margin
    // A line from a box of the last column to itself or to its neighbour bulges to the right.
    width += DiagramMeasure.columnGap / 2
  }

  /// The side of a square in which all boxes have room.
  private static func side(of graph: DiagramGraph) -> Int {
    let area = graph.heights.reduce(0) { $0 + ($1 + DiagramMeasure.rowGap) * step }
    let tallest = graph.heights.max() ?? 0
    return max(tallest, Int(Double(area).squareRoot()))
  }

  private static func height(of column: [Int], _ graph: DiagramGraph) -> Int {
    column.reduce(-DiagramMeasure.rowGap) { $0 + graph.heights[$1] + DiagramMeasure.rowGap }
  }

  private static func height(of columns: [[Int]], _ graph: DiagramGraph) -> Int {
    columns.map { height(of: $0, graph) }.max() ?? 0
  }

  /// A group in columns by distance from its busiest box.
  ///
  /// A group with room for it in one direction goes to the right; a larger one to both sides.
  private static func columns(of group: [Int], in graph: DiagramGraph, tallest: Int) -> [[Int]] {
    let neighbours = graph.neighbours
    let busiest = group.max { (neighbours[$0].count, $1) < (neighbours[$1].count, $0) }
    guard let busiest, !neighbours[busiest].isEmpty else { return split([group], graph, tallest) }
    var branches = neighbours[busiest].map { [[$0]] }
    var seen = Set(neighbours[busiest] + [busiest])
    while branches.contains(where: { $0.last?.isEmpty == false }) {
      for branch in branches.indices {
        let last = branches[branch].last ?? []
        branches[branch].append(last.flatMap { neighbours[$0].filter { seen.insert($0).inserted } })
      }
    }
    let isLarge = height(of: group, graph) > 3 * tallest
    let (left, right) = isLarge ? halves(branches, graph) : ([], branches)
    return split(layers(left), graph, tallest).reversed() + [[busiest]]
      + split(layers(right), graph, tallest)
  }

  /// Branches in two halves of about the same height; each branch stays whole.
  private static func halves(
    _ branches: [[[Int]]], _ graph: DiagramGraph
  ) -> ([[[Int]]], [[[Int]]]) {
    let weighed = branches.map { (height(of: $0.flatMap(\.self), graph), $0) }
    let largestFirst = weighed.enumerated().sorted {
      ($1.element.0, $0.offset) < ($0.element.0, $1.offset)
    }
    var (left, right): ([[[Int]]], [[[Int]]]) = ([], [])
    var balance = 0
    for (_, (weight, branch)) in largestFirst {
      if balance > 0 { left.append(branch) } else { right.append(branch) }
      balance += balance > 0 ? -weight : weight
    }
    return (left, right)
  }

  /// What the branches have at each distance, nearest first.
  private static func layers(_ branches: [[[Int]]]) -> [[Int]] {
    let depth = branches.map(\.count).max() ?? 0
    let layers = (0..<depth).map { distance in
      branches.flatMap { distance < $0.count ? $0[distance] : [] }
    }
    return layers.filter { !$0.isEmpty }
  }

  /// Layers as columns; one too tall becomes several.
  private static func split(_ layers: [[Int]], _ graph: DiagramGraph, _ tallest: Int) -> [[Int]] {
    layers.flatMap { layer in
      var columns: [[Int]] = [[]]
      for box in layer {
        let isFull = height(of: columns[columns.count - 1] + [box], graph) > tallest
        if isFull, !columns[columns.count - 1].isEmpty { columns.append([]) }
        columns[columns.count - 1].append(box)
      }
      return columns
    }
  }

  /// The columns with their boxes near their neighbours: sweeps to the right and to the left.
  private static func ordered(_ columns: [[Int]], _ graph: DiagramGraph) -> [[Int]] {
    let neighbours = graph.neighbours
    var columns = columns
    var positions: [Int: Double] = [:]
    func note(_ column: Int) {
      let count = Double(columns[column].count)
      for (place, box) in columns[column].enumerated() {
        positions[box] = (Double(place) + 0.5) / count
      }
    }
    for column in columns.indices { note(column) }
    let sweeps = Array(columns.indices) + columns.indices.reversed() + Array(columns.indices)
    for column in sweeps {
      let centres = columns[column].map { box in
        let near = neighbours[box].compactMap { positions[$0] }
        return near.isEmpty ? positions[box] ?? 0 : near.reduce(0, +) / Double(near.count)
      }
      let pairs = zip(columns[column], centres).sorted { ($0.1, $0.0) < ($1.1, $1.0) }
      columns[column] = pairs.map(\.0)
      note(column)
    }
    return columns
  }

  private mutating func place(
    _ columns: [[Int]], at corner: Point, height: Int, _ graph: DiagramGraph
  ) {
    for (number, column) in columns.enumerated() {
      var y = corner.y + (height - Self.height(of: column, graph)) / 2
      for box in column {
        places[box] = Point(x: corner.x + number * Self.step, y: y)
        y += graph.heights[box] + DiagramMeasure.rowGap
      }
    }
  }
}
