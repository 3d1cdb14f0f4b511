/// The course of a line between two boxes, as the path data of SVG 2, chapter 9.
struct DiagramPath: Equatable {
  /// The line.
  let course: String
  /// What is drawn at its ends.
  let marks: String

  /// An end of a line: a point on the side of a box, and whether the line leaves to the right.
  private struct End {
    var x: Int
    var y: Int
    var leavesRight: Bool
    var mark: DiagramLine.Mark
    var sign: Int { leavesRight ? 1 : -1 }
  }

  private static let straight = 16

  /// The course of a line between boxes at these places.
  init(
    _ line: DiagramLine, from: DiagramLayout.Point, to: DiagramLayout.Point, _ anchors: (Int, Int)
  ) {
    let width = DiagramMeasure.boxWidth
    let (fromRight, toRight) = (to.x >= from.x, to.x <= from.x)
    let start = End(
      x: from.x + (fromRight ? width : 0), y: from.y + anchors.0, leavesRight: fromRight,
      mark: line.from.mark)
    var end = End(
      x: to.x + (toRight ? width : 0), y: to.y + anchors.1, leavesRight: toRight,
      mark: line.to.mark)
    // A relationship that is its own inverse begins and ends in one row.
    if (start.x, start.y) == (end.x, end.y) { end.y += DiagramMeasure.row }
    course = Self.course(start, end)
    marks = [start, end].map(Self.mark).filter { !$0.isEmpty }.joined(separator: " ")
  }

  private static func course(_ start: End, _ end: End) -> String {
    let (a, b) = (start.x + straight * start.sign, end.x + straight * end.sign)
    // On the same side the curve has to leave the column, farther for boxes that are far apart.
    let reach =
      start.leavesRight == end.leavesRight
      ? min(DiagramMeasure.columnGap / 2, 20 + abs(start.y - end.y) / 6) : max(24, abs(b - a) / 2)
    return "M\(start.x) \(start.y)H\(a)"
      + "C\(a + reach * start.sign) \(start.y) \(b + reach * end.sign) \(end.y) \(b) \(end.y)"
      + "H\(end.x)"
  }

  private static func mark(_ end: End) -> String {
    let (x, y) = (end.x, end.y)
    let tip = x + 12 * end.sign
    return switch end.mark {
    case .none: ""
    case .one: "M\(x + 8 * end.sign) \(y - 5)V\(y + 5)"
    case .many: "M\(x) \(y - 6)L\(tip) \(y)L\(x) \(y + 6)"
    case .parent: "M\(x) \(y)L\(tip) \(y - 7)V\(y + 7)Z"
    }
  }
}
