extension HelpPage {
  /// Lays out Markdown as text: paragraphs are filled, tables are columns, code stays as it is.
  struct Layout {
    private let width: Int
    private let style: Style
    private var lines: [String] = []
    private var paragraph: [String] = []
    private var rows: [[String]] = []
    private var isCode = false

    static func text(_ markdown: [String], _ width: Int, _ style: Style) -> String {
      var layout = Layout(width: width, style: style)
      for line in markdown { layout.take(line) }
      layout.end()
      // No empty line stands at either end, and never two in a row.
      var kept: [String] = []
      for line in layout.lines where !line.isEmpty || kept.last?.isEmpty == false {
        kept.append(line)
      }
      if kept.last?.isEmpty == true { kept.removeLast() }
      return kept.joined(separator: "\n")
    }

    private init(width: Int, style: Style) {
      self.width = width
      self.style = style
    }

    private mutating func take(_ line: String) {
      if line.hasPrefix("```") {
        end()
        isCode.toggle()
      } else if isCode {
        lines.append(line.isEmpty ? "" : "    \(line)")
      } else if line.hasPrefix("|") {
        if rows.isEmpty { end() }
        rows.append(Self.cells(line))
      } else if line.hasPrefix("#") {
        end()
        write(heading: line)
      } else if line.isEmpty {
        end()
        lines.append("")
      } else {
        if line.hasPrefix("- ") || !rows.isEmpty { end() }
        paragraph.append(line)
      }
    }

    /// Writes what was gathered.
    private mutating func end() {
      let isItem = paragraph.first?.hasPrefix("- ") == true
      let text = paragraph.map { $0.drop { $0 == " " } }.joined(separator: " ")
      let wrapped = text.isEmpty ? [] : text.wrapped(to: width - (isItem ? 2 : 0))
      lines += wrapped.enumerated().map { $0 > 0 && isItem ? "  \($1)" : $1 }
      if let header = rows.first { write(rows.dropFirst(2).map(\.self), under: header) }
      (paragraph, rows) = ([], [])
    }

    private mutating func write(heading line: String) {
      let level = line.prefix { $0 == "#" }.count
      let title = String(line.dropFirst(level + 1))
      lines += ["", style.bold(title)]
      if level < 4 { lines.append(String(repeating: level == 1 ? "=" : "-", count: title.count)) }
      if level < 4 { lines.append("") }
    }

    /// Of many columns, the first and the last stand side by side, and below them the others.
    private mutating func write(_ rows: [[String]], under header: [String]) {
      var table = TextTable(indent: 2)
      if header.count < 4 { table.rows.append(.init(cells: header, tint: .faint)) }
      for row in rows {
        guard row.count > 3, let first = row.first, let last = row.last else {
          let pieces = (row.first ?? "").wrapped(to: width - 2)
          table.rows += pieces.dropLast().map { .init(cells: [$0, ""]) }
          table.rows.append(.init(cells: [pieces.last ?? ""] + row.dropFirst()))
          continue
        }
        let others = zip(header, row).dropFirst().dropLast().filter { !$1.isEmpty }
        table.rows.append(.init(cells: [first, last]))
        table.rows.append(
          .init(cells: ["", others.map { "\($0): \($1)" }.joined(separator: "; ")]))
      }
      lines += table.lines(width: width, style)
    }

    private static func cells(_ line: String) -> [String] {
      line.replacing("\\|", with: "\u{1}").split(separator: "|", omittingEmptySubsequences: false)
        .dropFirst().dropLast()
        .map { cell in
          let text = cell.replacing("\u{1}", with: "|").drop { $0 == " " }
          return String(text.last == " " ? text.dropLast() : text)
        }
    }
  }
}
