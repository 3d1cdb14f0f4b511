internal import CoreDataStore

/// A diagram as HTML: boxes that can be read, selected and reached by keyboard, above lines in SVG.
struct HTMLDiagram {
  let diagram: Diagram

  var html: String { diagram.panels.map(panel).joined(separator: "\n") }

  private func panel(_ panel: Diagram.Panel) -> String {
    let (width, height) = (diagram.layout.width, diagram.layout.height)
    let title = panel.side == .before ? "Before" : "After"
    let lines = panel.lines.map { line($0, panel) }.joined(separator: "\n")
    let boxes = panel.boxes.indices.map { place in
      panel.boxes[place].map { box($0, place, panel.side) } ?? ghost(place, panel)
    }
    return """
      <section class="panel" id="\(panel.side)">
      <h2>\(title): \(panel.version.html)</h2>
      <div class="view" tabindex="0" role="group" aria-label="\(title), diagram">
      <div class="sheet" data-width="\(width)" data-height="\(height)">
      <div class="canvas" style="width:\(width)px;height:\(height)px">
      <svg width="\(width)" height="\(height)" aria-hidden="true">
      \(lines)
      </svg>
      \(boxes.joined(separator: "\n"))
      </div></div></div>
      </section>
      """
  }

  private func style(_ place: Int, height: Int) -> String {
    let point = diagram.layout.places[place]
    return "left:\(point.x)px;top:\(point.y)px;height:\(height)px"
  }

  private func box(_ box: DiagramBox, _ place: Int, _ side: DiagramBoxes.Side) -> String {
    let words = box.subtitle.html
    let subtitle = words.isEmpty ? "" : "<p title=\"\(words)\">\(words)</p>\n"
    let rows = box.rows.map(row).joined(separator: "\n")
    let label = "\(box.name), \(box.words)".html
    return """
      <article class="box \(box.change.rawValue)" id="\(side)-\(place)" data-pair="\(place)" \
      tabindex="0" aria-label="\(label)" style="\(style(place, height: box.height))">
      <header title="\(label)"><h3>\(box.name.html)</h3>\(tag(box))</header>
      \(subtitle)<ul>
      \(rows)
      </ul>
      </article>
      """
  }

  private func tag(_ box: DiagramBox) -> String {
    let stop = box.obstacle.map(Self.stop) ?? ""
    guard box.change != .same else { return stop }
    return stop + "<span class=\"tag\">\(box.change.symbol.html) \(box.change.rawValue)</span>"
  }

  private static func stop(_ why: String) -> String {
    "<span class=\"stop\" title=\"\(why.html)\">! not inferable</span>"
  }

  private func row(_ row: DiagramBox.Row) -> String {
    guard let name = row.name else {
      return "<li class=\"rest\" title=\"\(row.words.html)\">\(row.type.html)</li>"
    }
    let mark =
      row.change == .same
      ? "<span class=\"mark\"></span>"
      : "<span class=\"mark\" role=\"img\" aria-label=\"\(row.change.rawValue)\">"
        + "\(row.change.symbol.html)</span>"
    return "<li class=\"\(row.change.rawValue)\" title=\"\(row.words.html)\">\(mark)"
      + "<span class=\"name\">\(name.html)</span><span class=\"type\">\(row.type.html)</span>"
      + "\(row.obstacle.map(Self.stop) ?? "")</li>"
  }

  /// What stands where this version does not have an entity.
  private func ghost(_ place: Int, _ panel: Diagram.Panel) -> String {
    let words = panel.side == .before ? "not yet there" : "no longer there"
    return """
      <div class="ghost" data-pair="\(place)" title="\(diagram.names[place].html): \(words)" \
      style="\(style(place, height: DiagramMeasure.title + DiagramMeasure.foot))">\
      \(diagram.names[place].html): \(words)</div>
      """
  }

  private func line(_ line: DiagramLine, _ panel: Diagram.Panel) -> String {
    let anchors = [line.from, line.to].map { end in
      panel.boxes[end.box]?.anchor(of: end.property) ?? 0
    }
    let path = DiagramPath(
      line, from: diagram.layout.places[line.from.box], to: diagram.layout.places[line.to.box],
      (anchors[0], anchors[1]))
    return """
      <g class="line \(line.change.rawValue)" data-from="\(line.from.box)" \
      data-to="\(line.to.box)"><title>\(line.words.html)</title>\
      <path d="\(path.course)"/><path class="end" d="\(path.marks)"/></g>
      """
  }
}

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
