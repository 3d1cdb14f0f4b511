internal import CoreDataStore

/// A diagram as HTML: boxes that can be read, selected and reached by keyboard, above lines in SVG.
struct HTMLDiagram {
  let diagram: Diagram

  /// Both panels.
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
      <div class="ghost" data-pair="\(place)" \
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
